import { isDeepStrictEqual } from 'node:util'
import type { Item, Items, SubjectName } from './subject.js'

type MemberChange = Readonly<{ from: unknown; to: unknown }>

/** A change to one item, to be shown or made. */
export type Change = Readonly<{
  subject: SubjectName
  id: string
  kind: 'create' | 'change' | 'remove'
  /** All members of a created item, the changed members of a changed item, or none of a removed item. */
  members: Readonly<Record<string, MemberChange>>
}>

/**
 * Returns the changes that turn stored into wanted items, in the order of ids. Members that a wanted item lacks stay
 * unchanged. Lists are compared as sets, except the fallbacks of locales.
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
      const order = name === 'fallback' ? listOrEmpty : inOrder
      return isDeepStrictEqual(order(to), order(from))
        ? []
        : [[name, { from: from ?? null, to: order(to) }] as const]
    }),
  )

/** Keeps the order of a list. An absent list counts as empty. */
const listOrEmpty = (value: unknown): unknown => value ?? []

/** Sorts a list and removes duplicates, because all lists except the fallbacks of locales are sets. */
const inOrder = (value: unknown): unknown =>
  Array.isArray(value) ? [...new Set(value as readonly unknown[])].sort() : value
