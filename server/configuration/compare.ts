import { isDeepStrictEqual } from 'node:util'
import type { Item, Items, SubjectName } from './subject.js'

/** What a member was, and what it becomes. */
type MemberChange = Readonly<{ from: unknown; to: unknown }>

/** One thing that becomes another: what is there to be shown, and to be done. */
export type Change = Readonly<{
  subject: SubjectName
  id: string
  kind: 'create' | 'change' | 'remove'
  /** Of one that is created all members, of one that is changed those that change, of one that is removed none. */
  members: Readonly<Record<string, MemberChange>>
}>

/**
 * What makes of what is stored what is wanted, in the order of the names. A member that a file does not name stays as
 * it is; of most lists the order counts nothing.
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

/** A list whose order counts; none is an empty one. */
const asItIs = (value: unknown): unknown => value ?? []

/** Lists are sets, but for what locales fall back to. */
const inOrder = (value: unknown): unknown =>
  Array.isArray(value) ? [...new Set(value as readonly unknown[])].sort() : value
