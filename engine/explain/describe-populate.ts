import type { MemberPlan, NodePlan } from '../read/plan/read-plan.js'

/** A populate tree in the form in which a client would send it: `{ author: { populate: { avatar: true } } }`. */
export type PopulateTree = Readonly<{ [name: string]: true | Below | '…' }>

type Below = Readonly<{ populate: PopulateTree } | { on: PopulateTree }>

/** Maximum number of names in a described tree. Further branches are shown as `…`. */
const maxNames = 5000

/** Describes which relations and components a plan populates. */
export function describePopulate(node: NodePlan): PopulateTree {
  let names = 0
  return treeOf(node)

  function treeOf({ members }: NodePlan): PopulateTree {
    const shown = members.filter(({ kind }) => kind !== 'field')
    names += shown.length
    return Object.fromEntries(shown.map((member) => [member.name, describe(member)]))
  }

  function describe(member: MemberPlan): true | Below | '…' {
    if (member.kind === 'field') return true
    if (member.kind === 'edge' || member.kind === 'component') return below(member.node)
    const shown: Readonly<Record<string, Readonly<{ node: NodePlan }>>> =
      member.kind === 'zone' ? member.components : member.edges
    const parts = Object.entries(shown)
    names += parts.length
    return { on: Object.fromEntries(parts.map(([uid, { node }]) => [uid, below(node)])) }
  }

  function below(node: NodePlan): true | Below | '…' {
    if (node.members.every(({ kind }) => kind === 'field')) return true
    return names > maxNames ? '…' : { populate: treeOf(node) }
  }
}
