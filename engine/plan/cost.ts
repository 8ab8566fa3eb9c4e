import type { FactsOf } from './collection-facts.js'
import { nothingKnown } from './collection-facts.js'
import type { MemberPlan, NodePlan, ReadPlan } from './read-plan.js'
import { costOfSearch } from './scan-cost.js'

/** Targets that a to-many edge is taken to have per holder, where nothing is known of the data. */
const assumedFanOut = 5

/**
 * An estimate of the work of a read, in entries that are shown (rows × fan-out × depth; about 10 µs each),
 * with what it takes to find and count them. Only its order of magnitude matters: it decides whether a plan
 * runs on the main thread or in the pool. `node` is what `costOfNode` says, `relations` how many relations the
 * filter goes through.
 */
export function costOf(
  plan: Pick<ReadPlan, 'collection' | 'match' | 'sort' | 'skip' | 'limit' | 'pagination'>,
  { node, relations }: Readonly<{ node: number; relations: number }>,
  factsOf: FactsOf = nothingKnown,
): Pick<ReadPlan, 'cost' | 'totalCost'> {
  const links = plan.sort.reduce((sum, { through }) => sum + through.length, 0)
  const shown = plan.limit * (1 + node)
  const linked = (relations + links) * costOfLink
  const { page, total } = costOfSearch(plan, factsOf)
  return { cost: shown + linked + page + total, totalCost: total }
}

/** What a relation that is filtered or sorted through costs: it is asked about entries beyond the page. */
const costOfLink = 50

/** What is populated in one entry. */
export function costOfNode(node: NodePlan): number {
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
