import type { Condition, MemberPlan, NodePlan, ReadPlan } from './read-plan.js'

/** Targets that a to-many edge is taken to have per holder, where nothing is known of the data. */
const assumedFanOut = 5

/**
 * An estimate of the entries that a read touches: rows × fan-out × depth. Only its order of magnitude
 * matters: it decides whether a plan runs on the main thread or in the pool.
 */
export function costOf(plan: Pick<ReadPlan, 'limit' | 'node' | 'match' | 'sort'>): number {
  const links = plan.sort.reduce((sum, { through }) => sum + through.length, 0)
  return (
    plan.limit * (1 + costOfNode(plan.node)) + (costOfCondition(plan.match) + links) * costOfLink
  )
}

/** What a relation that is filtered or sorted through costs: it is asked about entries beyond the page. */
const costOfLink = 50

/** The relations that a condition goes through. */
function costOfCondition(condition: Condition): number {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return condition.of.reduce((sum, member) => sum + costOfCondition(member), 0)
    case 'test':
      return 0
    case 'element':
      return costOfCondition(condition.of)
    case 'modified':
      return 1
    case 'related':
      return 1 + costOfCondition(condition.of)
  }
}

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
