import type { EdgePlan, NodePlan, ValuesPlan } from '../plan/read-plan.js'
import { isReadTogether } from '../plan/read-plan.js'

/** Relations whose targets are read with one command. */
export type Batch = Readonly<{
  /** Number of occurrences of these relations in all nodes. */
  edges: number
}>

/** The batch of each relation. */
export type Batches = Readonly<{
  of: ReadonlyMap<EdgePlan, Batch>
  /** The number of batches that read entries of a node, by node. */
  leadingTo: ReadonlyMap<NodePlan, number>
}>

/**
 * Groups the relations of a plan into batches, level by level. All paths from the root to a shared node have the same
 * length, so the node belongs to a single level.
 */
export function compileBatches(root: NodePlan): Batches {
  const of = new Map<EdgePlan, Batch & { edges: number }>()
  const leadingTo = new Map<NodePlan, number>()
  for (let level = new Set([root]); level.size > 0;) {
    const below = new Map<NodePlan, EdgePlan[]>()
    for (const node of level) {
      eachEdge(node, (edge) => {
        const known = of.get(edge)
        if (known !== undefined) {
          known.edges += 1
          return
        }
        const firsts = below.get(edge.node) ?? []
        below.set(edge.node, firsts)
        const first = firsts.find((it) => isReadTogether(it, edge))
        const batch = (first && of.get(first)) ?? { edges: 0 }
        if (first === undefined) firsts.push(edge)
        batch.edges += 1
        of.set(edge, batch)
      })
    }
    for (const [node, firsts] of below) leadingTo.set(node, firsts.length)
    level = new Set(below.keys())
  }
  return { of, leadingTo }
}

/** Calls `visit` for each occurrence of a relation in an entry and its components. */
function eachEdge(node: NodePlan, visit: (edge: EdgePlan) => void): void {
  for (const member of node.members) {
    if (member.kind === 'edge') visit(member)
    else if (member.kind === 'morph') Object.values(member.edges).forEach(visit)
    else if (member.kind === 'component') eachEdge(member.node, visit)
    else if (member.kind === 'zone')
      Object.values(member.components).forEach((plan: ValuesPlan) => eachEdge(plan.node, visit))
  }
}
