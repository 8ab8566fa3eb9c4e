import type { RawPagination, RawValue } from './raw-query.js'
import type { Bind, Sent, Slot } from './query.js'

/** Collects the slots of a shape while it is resolved. */
export type Slots = Readonly<{
  /** A slot for what `bind` makes of what is sent; throws what it throws for the request at hand. */
  open: (bind: Bind) => Slot
  /** Where the values of a comparison are, in what any request of the shape sends. */
  valuesOf: (values: readonly RawValue[]) => (sent: Sent) => readonly RawValue[]
  /** The same of the pagination of a populated relation. */
  pageOf: (page: RawPagination) => (sent: Sent) => RawPagination
  /** What fills them, in the order in which they were opened. */
  close: () => readonly Bind[]
}>

/**
 * `sent` is that of the request whose shape is resolved. Its values are made where they are met, only to
 * refuse them there: of several errors the same one is found first, whether the shape was known or not.
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
      // A shape lives long, and what this request sent would live in the scope of its functions.
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
