import type { Slot, SlotValue } from '../resolve/query.js'
import type { Condition, NodePlan } from './read-plan.js'

/** Puts values into the slots of a tree; what has no slot below it is the same object in every result. */
export type Fill<T> = (values: readonly SlotValue[]) => T

/** Prepares a tree to be filled many times: filling takes the way to each slot, and no other. */
export function fillable(tree: NodePlan<Slot>): Fill<NodePlan>
export function fillable(tree: Condition<Slot>): Fill<Condition>
export function fillable(tree: NodePlan<Slot> | Condition<Slot>): Fill<unknown> {
  return fillOf(tree) ?? (() => tree)
}

/** Undefined for a tree without slots. */
function fillOf(tree: unknown): Fill<unknown> | undefined {
  if (typeof tree !== 'object' || tree === null) return undefined
  if (isSlot(tree)) {
    const { at } = tree
    return (values) => values[at]
  }
  return Array.isArray(tree) ? fillOfList(tree) : fillOfObject(tree)
}

function fillOfList(list: readonly unknown[]): Fill<unknown> | undefined {
  const open = openMembers(list)
  if (open.length === 0) return undefined
  return (values) => {
    const filled = [...list]
    for (const [index, fill] of open) filled[Number(index)] = fill(values)
    return filled
  }
}

function fillOfObject(object: object): Fill<unknown> | undefined {
  const open = openMembers(object)
  if (open.length === 0) return undefined
  return (values) => {
    const filled: Record<string, unknown> = { ...object }
    for (const [key, fill] of open) filled[key] = fill(values)
    return filled
  }
}

function openMembers(of: object): readonly (readonly [string, Fill<unknown>])[] {
  return Object.entries(of).flatMap(([key, member]) => {
    const fill = fillOf(member)
    return fill === undefined ? [] : [[key, fill] as const]
  })
}

function isSlot(tree: object): tree is Slot {
  return 'kind' in tree && tree.kind === 'slot'
}
