import type { MemberPlan, NodePlan, ReadPlan } from './read-plan.js'
import { relationsIn } from './relations-in.js'

/** Targets that a to-many edge is taken to have per holder, where nothing is known of the data. */
const assumedFanOut = 5

/**
 * An estimate of the entries that a read touches: rows × fan-out × depth. Only its order of magnitude
 * matters: it decides whether a plan runs on the main thread or in the pool.
 */
export function costOf(plan: Pick<ReadPlan, 'limit' | 'node' | 'match' | 'sort'>): number {
  const links = plan.sort.reduce((sum, { through }) => sum + through.length, 0)
  return plan.limit * (1 + costOfNode(plan.node)) + (relationsIn(plan.match) + links) * costOfLink
}

/** What a relation that is filtered or sorted through costs: it is asked about entries beyond the page. */
const costOfLink = 50

function costOfNode(node: NodePlan): number {
  return node.members.reduce((sum, member) => sum + costOfMember(member), 0)
}

function costOfMember(member: MemberPlan): number {
  switch (member.kind) {
    case 'field':
      return 0
    case 'component':
      return 0.1 + costOfNode(member.node) * (member.repeatable ? assumedFanOut : 1)
    case 'zone':
      return (
        0.1 + Math.max(0, ...Object.values(member.components).map(({ node }) => costOfNode(node)))
      )
    case 'edge': {
      const fanOut = member.link.many ? (member.page?.limit ?? assumedFanOut) : 1
      return fanOut * (1 + costOfNode(member.node))
    }
  }
}
