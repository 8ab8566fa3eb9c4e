import { expect } from 'chai'
import fc from 'fast-check'
import { assignOrders } from '../../../engine/write/change/inverse-orders.js'

const now = 1_732_160_000_000

describe('assignOrders', () => {
  it('returns orders that never decrease along the list, whatever the previous order and moves', () => {
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
        (current, orders, wanted, turn, moved) => {
          const sorted = [...orders].sort((a, b) => a - b)
          const before = current.map((documentId, at) => ({ documentId, order: sorted[at] ?? 0 }))
          const cut = turn % (wanted.length + 1)
          const ids = [...wanted.slice(cut), ...wanted.slice(0, cut)]
          const given = assignOrders(ids, before, new Set(moved), now)
          expect([...given.keys()].sort()).to.deep.equal([...ids].sort())
          const places = ids.map((id) => given.get(id) ?? NaN)
          // Neighbours with the same order number in `before` keep it until one of them is moved.
          places.slice(1).forEach((place, at) => expect(place).to.be.at.least(places[at] ?? NaN))
        },
      ),
    )
  })
})
