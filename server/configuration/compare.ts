import { isDeepStrictEqual } from 'node:util'
import type { Item, Items, SubjectName } from './subject.js'

/** The previous and the new value of a member. */
type MemberChange = Readonly<{ from: unknown; to: unknown }>

/** A change of one item, for display and for execution. */
export type Change = Readonly<{
  subject: SubjectName
  id: string
  kind: 'create' | 'change' | 'remove'
  /** For a created item all members, for a changed item the changed members, for a removed item none. */
  members: Readonly<Record<string, MemberChange>>
}>

/**
 * Returns the changes from the stored items to the wanted items, in the order of their names. If a file does not
 * contain a member, that member stays unchanged. The order of most lists does not matter.
 */
export function compareItems(
  subject: SubjectName,
  wanted: Items,
  stored: Items,
  defaults: (id: string) => Item,
): readonly Change[] {
  const ids = [...new Set([...wanted.keys(), ...stored.keys()])].sort()
  return ids.flatMap((id): readonly Change[] => {
    const [after, before] = [wanted.get(id), stored.get(id)]
    if (after === undefined) return [{ subject, id, kind: 'remove', members: {} }]
    if (before === undefined)
      return [
        { subject, id, kind: 'create', members: changesOf({ ...defaults(id), ...after }, {}) },
      ]
    const members = changesOf(after, before)
    return Object.keys(members).length === 0 ? [] : [{ subject, id, kind: 'change', members }]
  })
}

const changesOf = (after: Item, before: Item): Change['members'] =>
  Object.fromEntries(
    Object.entries(after).flatMap(([name, to]) => {
      const from = before[name]
      const order = name === 'fallback' ? asItIs : inOrder
      return isDeepStrictEqual(order(to), order(from))
        ? []
        : [[name, { from: from ?? null, to: order(to) }] as const]
    }),
  )

/** Used for a list whose order matters. A missing list counts as empty. */
const asItIs = (value: unknown): unknown => value ?? []

/** Sorts a list, because all lists except the fallbacks of locales are sets. */
const inOrder = (value: unknown): unknown =>
  Array.isArray(value) ? [...new Set(value as readonly unknown[])].sort() : value
