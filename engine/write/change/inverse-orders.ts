/**
 * Assigns an `order` to each entry in an inverse list. Entries that stay in place keep theirs; others get one between
 * their neighbours or, at the end, the current time. If doubles leave no room between two neighbours, the whole list is
 * renumbered (docs/internals/storage.md, "Relations").
 * @param ids documentIds of the entries after the write, in the order of the list
 * @param before the list before the write, sorted by order
 * @param moved documentIds of entries that always get a new order
 * @param now milliseconds since 1970
 */
export function assignOrders(
  ids: readonly string[],
  before: readonly Readonly<{ documentId: string; order: number }>[],
  moved: ReadonlySet<string>,
  now: number,
): ReadonlyMap<string, number> {
  const kept = keptOrders(ids, before, moved)
  const orders = new Map<string, number>()
  let at = 0
  while (at < ids.length) {
    const id = ids[at] ?? ''
    const order = kept.get(id)
    if (order !== undefined) {
      orders.set(id, order)
      at += 1
      continue
    }
    const next = ids.findIndex((other, place) => place >= at && kept.has(other))
    const run = ids.slice(at, next < 0 ? ids.length : next)
    const low = at === 0 ? undefined : orders.get(ids[at - 1] ?? '')
    const high = next < 0 ? undefined : kept.get(ids[next] ?? '')
    const numbers = between(low, high, run.length, now)
    if (numbers === undefined) return new Map(ids.map((id, place) => [id, now + place]))
    run.forEach((id, place) => orders.set(id, numbers[place] ?? now))
    at += run.length
  }
  return orders
}

function keptOrders(
  ids: readonly string[],
  before: readonly Readonly<{ documentId: string; order: number }>[],
  moved: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const places = new Map(before.map(({ documentId, order }, rank) => [documentId, { order, rank }]))
  const kept = new Map<string, number>()
  let last = -1
  for (const id of ids) {
    const place = places.get(id)
    if (place === undefined || moved.has(id) || place.rank < last) continue
    last = place.rank
    kept.set(id, place.order)
  }
  return kept
}

/** Returns `count` increasing numbers between `low` and `high`, exclusive, if doubles can represent so many. */
function between(
  low: number | undefined,
  high: number | undefined,
  count: number,
  now: number,
): readonly number[] | undefined {
  const start = low ?? (high === undefined ? now - 1 : high - count - 1)
  if (high === undefined) {
    const first = Math.max(now, start + 1)
    return Array.from({ length: count }, (_, at) => first + at)
  }
  const step = (high - start) / (count + 1)
  const numbers = Array.from({ length: count }, (_, at) => start + step * (at + 1))
  const rises = [start, ...numbers, high].every((n, at, all) => at === 0 || n > (all[at - 1] ?? n))
  return rises ? numbers : undefined
}

/**
 * Returns the `order` of new references: milliseconds since 1970, with a fraction that probably differs between
 * processes. It is later than all earlier orders of this process. If two owners take a target from each other, the
 * later order wins.
 */
export function connectingTime(now: number): number {
  latest = Math.max(now + ownFraction, latest + leastLater)
  return latest
}

let latest = 0
const leastLater = 1 / 64
/** A double that holds the current time in milliseconds has room for 4096 fractions of a millisecond. */
const ownFraction = Math.floor(Math.random() * 64) / 4096
