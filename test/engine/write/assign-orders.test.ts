import { expect } from 'chai'
import fc from 'fast-check'
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

  it('rise in the order of the list, whatever it was and whoever was moved', () => {
    const names = ['a', 'b', 'c', 'd', 'e']
    const some = fc.subarray(names)
    const order = fc.oneof(fc.integer({ min: 0, max: 4 }), fc.constantFrom(now, now + 2 ** -12))
    fc.assert(
      fc.property(
        some,
        fc.array(order, { minLength: 5, maxLength: 5 }),
        some,
        fc.nat(),
        some,
        (there, orders, wanted, turn, moved) => {
          const sorted = [...orders].sort((a, b) => a - b)
          const before = there.map((documentId, at) => ({ documentId, order: sorted[at] ?? 0 }))
          const cut = turn % (wanted.length + 1)
          const ids = [...wanted.slice(cut), ...wanted.slice(0, cut)]
          const given = assignOrders(ids, before, new Set(moved), now)
          expect([...given.keys()].sort()).to.deep.equal([...ids].sort())
          const places = ids.map((id) => given.get(id) ?? NaN)
          // Two that were given one number at once keep it, until one of them is moved.
          places.slice(1).forEach((place, at) => expect(place).to.be.at.least(places[at] ?? NaN))
        },
      ),
    )
  })
})
