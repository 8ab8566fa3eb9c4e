import { expect } from 'chai'
import type * as InverseOrders from '../../../engine/write/change/inverse-orders.js'
import { assignOrders } from '../../../engine/write/change/inverse-orders.js'

const now = 1_732_160_000_000
const listOf = (orders: Readonly<Record<string, number>>) =>
  Object.entries(orders).map(([documentId, order]) => ({ documentId, order }))

describe('Places in an inverse list', () => {
  it('stay, but for those of who is new or was moved', () => {
    const before = listOf({ a: 10, b: 20, c: 30 })
    const orders = assignOrders(['a', 'c', 'x', 'b'], before, new Set(['c', 'x']), now)
    expect(Object.fromEntries(orders)).to.deep.equal({ a: 10, c: 40 / 3, x: 50 / 3, b: 20 })
    const atTheEnd = assignOrders(['b', 'c', 'a'], before, new Set(['a']), now)
    expect(Object.fromEntries(atTheEnd)).to.deep.equal({ b: 20, c: 30, a: now })
  })

  it('are numbered anew where neighbours touch', () => {
    const before = listOf({ a: now, b: now + 2 ** -12 })
    const orders = assignOrders(['a', 'x', 'b'], before, new Set(['x']), now)
    expect(Object.fromEntries(orders)).to.deep.equal({ a: now, x: now + 1, b: now + 2 })
  })

  it('are as they were where nobody is new, and nobody has one of an empty list', () => {
    const before = listOf({ a: 1, b: 2 })
    expect([...assignOrders(['a', 'b'], before, new Set(), now)]).to.deep.equal([
      ...[['a', 1] as const, ['b', 2] as const],
    ])
    expect(assignOrders([], before, new Set(), now).size).to.equal(0)
  })

  it('are the time at the end, one after the other, and behind what is later than that', () => {
    const places = (ids: readonly string[], before: Readonly<Record<string, number>>) =>
      Object.fromEntries(assignOrders(ids, listOf(before), new Set(), now))
    expect(places(['x', 'y', 'z'], {})).to.deep.equal({ x: now, y: now + 1, z: now + 2 })
    expect(places(['a', 'x', 'y'], { a: 5 })).to.deep.equal({ a: 5, x: now, y: now + 1 })
    expect(places(['a', 'x'], { a: now + 5 })).to.deep.equal({ a: now + 5, x: now + 6 })
    expect(places(['a', 'x'], { a: now - 0.5 })).to.deep.equal({ a: now - 0.5, x: now + 0.5 })
  })

  it('are before the first one at the beginning', () => {
    const orders = assignOrders(['x', 'y', 'a'], listOf({ a: 10 }), new Set(), now)
    expect(Object.fromEntries(orders)).to.deep.equal({ x: 8, y: 9, a: 10 })
  })

  it('are between neighbours in equal steps', () => {
    const orders = assignOrders(['a', 'x', 'y', 'z', 'b'], listOf({ a: 0, b: 4 }), new Set(), now)
    expect(Object.fromEntries(orders)).to.deep.equal({ a: 0, x: 1, y: 2, z: 3, b: 4 })
  })

  it('are new for who stands before somebody that stood before them', () => {
    const orders = assignOrders(['c', 'a', 'b'], listOf({ a: 1, b: 2, c: 3 }), new Set(), now)
    expect(Object.fromEntries(orders)).to.deep.equal({ c: 3, a: now, b: now + 1 })
  })

  it('are numbered anew where two have the same, and somebody comes between them', () => {
    const before = [...listOf({ a: 7 }), ...listOf({ b: 7 })]
    const orders = assignOrders(['a', 'x', 'b'], before, new Set(), now)
    expect(Object.fromEntries(orders)).to.deep.equal({ a: now, x: now + 1, b: now + 2 })
  })
})

describe('The time of connecting', () => {
  it('is that of the write, and later than that of every earlier one', async () => {
    const far = 4_000_000_000_000
    // Of its own: times of connecting only rise, and other tests connect today.
    const own = new URL('../../../engine/write/change/inverse-orders.js?own', import.meta.url)
    const { connectingTime } = (await import(String(own))) as typeof InverseOrders
    const times = [far, far, far - 5, far + 1000, far].map(connectingTime)
    expect(times[0]).to.be.within(far, far + 64 / 4096)
    expect(times[3]).to.be.within(far + 1000, far + 1000 + 64 / 4096)
    for (const [at, time] of times.entries()) if (at > 0) expect(time).to.be.above(times[at - 1]!)
    expect(times[1]! - times[0]!).to.equal(1 / 64)
  })
})
