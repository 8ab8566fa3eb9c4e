import type { EdgePlan, NodePlan, ValuesPlan } from '../plan/read-plan.js'
import { isReadTogether } from '../plan/read-plan.js'

/** Edges that one command reads. */
export type Batch = Readonly<{
  /** How often they are come by, in all nodes that have them. */ edges: number
}>

/** Who has to wait for whom, so that what is shared by several edges is read once. */
export type Batches = Readonly<{
  of: ReadonlyMap<EdgePlan, Batch>
  /** By how many batches the entries of a node are read. */
  leadingTo: ReadonlyMap<NodePlan, number>
}>

/**
 * Goes through a plan whose nodes are shared, level by level: a node is reached over equally many edges wherever it
 * stands, so nothing waits for what comes after it. Each node is looked at once.
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

/** Tells of the edges of an entry and of the components in it, as often as each is there. */
function eachEdge(node: NodePlan, tell: (edge: EdgePlan) => void): void {
  for (const member of node.members) {
    if (member.kind === 'edge') tell(member)
    else if (member.kind === 'morph') Object.values(member.edges).forEach(tell)
    else if (member.kind === 'component') eachEdge(member.node, tell)
    else if (member.kind === 'zone')
      Object.values(member.components).forEach((plan: ValuesPlan) => eachEdge(plan.node, tell))
  }
}
