import { expect } from 'chai'
import type * as InverseOrders from '../../../engine/write/change/inverse-orders.js'
import { assignOrders } from '../../../engine/write/change/inverse-orders.js'

const now = 1_732_160_000_000
const listOf = (orders: Readonly<Record<string, number>>) =>
  Object.entries(orders).map(([documentId, order]) => ({ documentId, order }))

describe('assignOrders', () => {
  it('keeps all orders except those of new and moved entries', () => {
    const before = listOf({ a: 10, b: 20, c: 30 })
    const orders = assignOrders(['a', 'c', 'x', 'b'], before, new Set(['c', 'x']), now)
    expect(Object.fromEntries(orders)).to.deep.equal({ a: 10, c: 40 / 3, x: 50 / 3, b: 20 })
    const atTheEnd = assignOrders(['b', 'c', 'a'], before, new Set(['a']), now)
    expect(Object.fromEntries(atTheEnd)).to.deep.equal({ b: 20, c: 30, a: now })
  })

  it('renumbers the list if no number fits between two neighbours', () => {
    const before = listOf({ a: now, b: now + 2 ** -12 })
    const orders = assignOrders(['a', 'x', 'b'], before, new Set(['x']), now)
    expect(Object.fromEntries(orders)).to.deep.equal({ a: now, x: now + 1, b: now + 2 })
  })

  it('keeps all orders if nothing changes, and returns none for an empty list', () => {
    const before = listOf({ a: 1, b: 2 })
    expect([...assignOrders(['a', 'b'], before, new Set(), now)]).to.deep.equal([
      ...[['a', 1] as const, ['b', 2] as const],
    ])
    expect(assignOrders([], before, new Set(), now).size).to.equal(0)
  })

  it('uses the current time at the end, counting up, but never less than the last order', () => {
    const places = (ids: readonly string[], before: Readonly<Record<string, number>>) =>
      Object.fromEntries(assignOrders(ids, listOf(before), new Set(), now))
    expect(places(['x', 'y', 'z'], {})).to.deep.equal({ x: now, y: now + 1, z: now + 2 })
    expect(places(['a', 'x', 'y'], { a: 5 })).to.deep.equal({ a: 5, x: now, y: now + 1 })
    expect(places(['a', 'x'], { a: now + 5 })).to.deep.equal({ a: now + 5, x: now + 6 })
    expect(places(['a', 'x'], { a: now - 0.5 })).to.deep.equal({ a: now - 0.5, x: now + 0.5 })
  })

  it('counts down from the first entry for new entries at the start', () => {
    const orders = assignOrders(['x', 'y', 'a'], listOf({ a: 10 }), new Set(), now)
    expect(Object.fromEntries(orders)).to.deep.equal({ x: 8, y: 9, a: 10 })
  })

  it('spaces new entries evenly between their neighbours', () => {
    const orders = assignOrders(['a', 'x', 'y', 'z', 'b'], listOf({ a: 0, b: 4 }), new Set(), now)
    expect(Object.fromEntries(orders)).to.deep.equal({ a: 0, x: 1, y: 2, z: 3, b: 4 })
  })

  it('gives new orders to entries that now follow an entry with a higher order', () => {
    const orders = assignOrders(['c', 'a', 'b'], listOf({ a: 1, b: 2, c: 3 }), new Set(), now)
    expect(Object.fromEntries(orders)).to.deep.equal({ c: 3, a: now, b: now + 1 })
  })

  it('renumbers the list if an entry comes between two with the same order', () => {
    const before = [...listOf({ a: 7 }), ...listOf({ b: 7 })]
    const orders = assignOrders(['a', 'x', 'b'], before, new Set(), now)
    expect(Object.fromEntries(orders)).to.deep.equal({ a: now, x: now + 1, b: now + 2 })
  })
})

describe('connectingTime', () => {
  it('returns the time of the write, and always more than the time before', async () => {
    const far = 4_000_000_000_000
    // Imports a separate instance of the module: its times only increase, and other tests use the current time.
    const own = new URL('../../../engine/write/change/inverse-orders.js?own', import.meta.url)
    const { connectingTime } = (await import(String(own))) as typeof InverseOrders
    const times = [far, far, far - 5, far + 1000, far].map(connectingTime)
    expect(times[0]).to.be.within(far, far + 64 / 4096)
    expect(times[3]).to.be.within(far + 1000, far + 1000 + 64 / 4096)
    for (const [at, time] of times.entries()) if (at > 0) expect(time).to.be.above(times[at - 1]!)
    expect(times[1]! - times[0]!).to.equal(1 / 64)
  })
})
