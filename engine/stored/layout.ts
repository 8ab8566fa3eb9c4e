import type { NodePlan } from '../plan/read-plan.js'
import type { Layout } from './stored.js'

/** Fields that are read by name, in every layout. */
const common = ['_id', 'documentId', 'locale', '_revision'] as const

export const idSlot = 0
export const documentIdSlot = 1
export const localeSlot = 2
export const revisionSlot = 3

const layouts = new WeakMap<NodePlan, Layout>()

/** The fields that a node shows or follows; `reference`: the one by which targets refer to their holders. */
export function layoutOf(node: NodePlan, reference?: string): Layout {
  const known = layouts.get(node)
  if (known !== undefined) return known
  const paths = node.members.map((member) =>
    member.kind === 'edge' ? member.link.path : member.path,
  )
  const layout = createLayout([
    ...common,
    ...paths,
    ...(reference === undefined ? [] : [reference]),
  ])
  layouts.set(node, layout)
  return layout
}

/** A layout of fields by their names; a name that comes twice has one slot. */
export function createLayout(fields: readonly string[]): Layout {
  const names = [...new Set(fields)]
  return {
    names: names.map((name) => Buffer.from(name)),
    slots: new Map(names.map((name, slot) => [name, slot])),
    following: names.map((_, slot) => (slot + 1) % names.length),
  }
}
