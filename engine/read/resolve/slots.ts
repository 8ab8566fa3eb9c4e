import type { RawPagination, RawValue } from '../parse/raw-query.js'
import type { Bind, Sent, Slot } from './query.js'

/** Collects the slots (parameters) of a shape while it is resolved. */
export type Slots = Readonly<{
  /** Adds a slot. `bind` also runs for the current request, to throw its errors immediately. */
  open: (bind: Bind) => Slot
  /** Finds the values of a comparison in any request of the shape. */
  valuesOf: (values: readonly RawValue[]) => (sent: Sent) => readonly RawValue[]
  /** Finds the pagination of a populated relation in any request of the shape. */
  pageOf: (page: RawPagination) => (sent: Sent) => RawPagination
  /** Returns the functions that fill the slots, in order. */
  close: () => readonly Bind[]
}>

/**
 * Creates the slots of a shape. Also converts the values of the current request, because a request must get the same
 * error whether its shape was cached or not.
 */
export function createSlots(sent: Sent): Slots {
  const binds: Bind[] = []
  const values = placesOf(sent.values)
  const pages = placesOf(sent.pages)
  let current: Sent | null = sent
  return {
    open: (bind) => {
      if (current !== null) bind(current)
      return { kind: 'slot', at: binds.push(bind) - 1 }
    },
    valuesOf: (sentHere) => {
      const at = placeIn(values, sentHere)
      return (later) => later.values[at] ?? []
    },
    pageOf: (sentHere) => {
      const at = placeIn(pages, sentHere)
      return (later) => later.pages[at] ?? {}
    },
    close: () => {
      // Forget the values of this request, which the functions of a cached shape would keep in memory.
      current = null
      values.clear()
      pages.clear()
      return binds
    },
  }
}

const placesOf = <T>(list: readonly T[]): Map<T, number> =>
  new Map(list.map((member, place) => [member, place]))

function placeIn<T>(places: ReadonlyMap<T, number>, member: T): number {
  const place = places.get(member)
  if (place === undefined) throw new Error('what is resolved was not taken out of its shape')
  return place
}
