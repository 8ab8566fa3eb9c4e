import type { Slot, SlotValue } from '../resolve/query.js'
import type { Condition, NodePlan } from './read-plan.js'

/** A tree to be filled with the values of many queries; `closed`: it has no slots. */
export type Template<T> =
  Readonly<{ kind: 'closed'; tree: T }> | Readonly<{ kind: 'open'; fill: Fill<T> }>

type Fill<T> = (values: readonly SlotValue[]) => T

export function templateOf(tree: NodePlan<Slot>): Template<NodePlan>
export function templateOf(tree: Condition<Slot>): Template<Condition>
export function templateOf(tree: NodePlan<Slot> | Condition<Slot>): Template<unknown> {
  const fill = fillOf(tree)
  return fill === undefined ? { kind: 'closed', tree } : { kind: 'open', fill }
}

/**
 * Copies the way to each slot and nothing else: what has no slot below it is the same object in every
 * tree that comes of a template.
 */
export function fillTemplate<T>(template: Template<T>, values: readonly SlotValue[]): T {
  return template.kind === 'closed' ? template.tree : template.fill(values)
}

/** Undefined for a tree without slots. */
function fillOf(tree: object): Fill<unknown> | undefined {
  if (isSlot(tree)) {
    const { at } = tree
    return (values) => values[at]
  }
  const open: (readonly [string, Fill<unknown>])[] = []
  for (const [key, member] of Object.entries(tree) as [string, unknown][]) {
    if (typeof member !== 'object' || member === null) continue
    const fill = fillOf(member)
    if (fill !== undefined) open.push([key, fill])
  }
  if (open.length === 0) return undefined
  return (values) => {
    const filled = copyOf(tree)
    for (const [key, fill] of open) filled[key] = fill(values)
    return filled
  }
}

const copyOf = (tree: object): Record<string, unknown> =>
  (Array.isArray(tree) ? tree.slice() : { ...tree }) as Record<string, unknown>

function isSlot(tree: object): tree is Slot {
  return 'kind' in tree && tree.kind === 'slot'
}
