import { isDeepStrictEqual } from 'node:util'
import { expect } from 'chai'
import fc from 'fast-check'
import { Decimal128, Long } from 'mongodb'
import { isStoredAlike } from '../../../engine/write/plan/stored-alike.js'
import { runs } from '../../support/properties.js'

describe('isStoredAlike', () => {
  it('agrees with a deep comparison plus a comparison as JSON', () => {
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        expect(isStoredAlike(a, b)).to.equal(
          isDeepStrictEqual(a, b) && JSON.stringify(a) === JSON.stringify(b),
        )
      }),
      { numRuns: runs(2000) },
    )
  })

  it('returns true for copies of a value', () => {
    fc.assert(
      fc.property(fc.clone(values, 2), ([a, b]) => {
        expect(isStoredAlike(a, b)).to.equal(true)
      }),
    )
  })

  it('returns false if the order of keys differs, at any depth', () => {
    expect(isStoredAlike({ a: 1, b: 2 }, { b: 2, a: 1 })).to.equal(false)
    expect(isStoredAlike([{ in: { a: 1, b: 2 } }], [{ in: { b: 2, a: 1 } }])).to.equal(false)
  })

  it('returns false if types differ: list and object, date and string, long and number', () => {
    const date = new Date(0)
    expect(isStoredAlike([], {})).to.equal(false)
    expect(isStoredAlike({ date }, { date: date.toISOString() })).to.equal(false)
    expect(isStoredAlike({ date }, { date: new Date(1) })).to.equal(false)
    expect(isStoredAlike([Long.fromNumber(5)], [5])).to.equal(false)
    expect(isStoredAlike({ a: undefined }, {})).to.equal(false)
  })
})

const scalars = fc.oneof(
  ...[fc.constantFrom('a', 'b', ''), fc.constantFrom(0, 1, 1.5), fc.boolean(), fc.constant(null)],
  fc.constantFrom(0, 1).map((time) => new Date(time)),
  fc.constantFrom(1, 2).map((value) => Long.fromNumber(value)),
  fc.constantFrom('1', '1.0').map((text) => Decimal128.fromString(text)),
)

/** Few names and values, so that two values are often equal, or nearly so. */
const { values } = fc.letrec((tie) => ({
  values: fc.oneof({ maxDepth: 4 }, scalars, tie('lists'), tie('objects')),
  lists: fc.array(tie('values'), { maxLength: 3 }),
  objects: fc
    .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c'), tie('values')), {
      maxLength: 3,
      selector: ([name]) => name,
    })
    .map((entries) => Object.fromEntries(entries)),
}))

const pairs = fc.oneof(fc.tuple(values, values), fc.clone(values, 2))
