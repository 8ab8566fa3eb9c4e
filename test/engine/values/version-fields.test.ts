import { createHash } from 'node:crypto'
import { expect } from 'chai'
import fc from 'fast-check'
import { Decimal128, Long } from 'mongodb'
import {
  isMarked,
  markOf,
  mayDifferFromPublished,
  withoutMark,
} from '../../../engine/values/modified.js'
import { listedIn, listedUnder, listOf, uniqueText } from '../../../engine/values/unique-list.js'

describe('mark of a modified draft', () => {
  it('is set only if it is true', () => {
    expect(
      [true, false, null, undefined, 1].map((_modified) => isMarked({ _modified })),
    ).to.deep.equal([true, false, false, false, false])
  })

  it('is added to a modified draft, and removed from any other draft that has it', () => {
    const before = [undefined, {}, { _modified: null }, { _modified: true }]
    expect(before.map((draft) => markOf(draft, true))).to.deep.equal(
      before.map(() => ({ _modified: true })),
    )
    expect(before.map((draft) => markOf(draft, false))).to.deep.equal([
      {},
      {},
      {},
      { _modified: null },
    ])
  })

  it('is left out of the fields of a draft', () => {
    const fields = { _id: 1, title: 'a', modified: true }
    expect(withoutMark({ ...fields, _modified: true })).to.deep.equal(fields)
    expect(withoutMark(fields)).to.deep.equal(fields)
  })
})

it('mayBeShown is true if a published version exists or a publish has begun', () => {
  for (const [draft, published, expected] of [
    [undefined, undefined, false],
    [undefined, {}, true],
    [{}, {}, true],
    [{}, undefined, false],
    [{ _publishing: 1 }, undefined, true],
    [{ _publishing: null }, undefined, false],
    [{ _publishing: 2, _unpublishedFrom: 1 }, undefined, true],
    [{ _publishing: 2, _unpublishedFrom: null }, undefined, true],
    [{ _publishing: 2, _unpublishedFrom: 2 }, undefined, false],
    [{ _publishing: 2, _unpublishedFrom: 3 }, undefined, false],
    [{ _unpublishedFrom: 3 }, undefined, false],
    [{ _publishing: 2, _unpublishedFrom: 2 }, {}, true],
  ] as const)
    expect(mayDifferFromPublished(draft, published), JSON.stringify({ draft, published })).to.equal(
      expected,
    )
})

describe('unique values in the components of a version', () => {
  const soup = { in: 'items', is: 'menu.item.slug:soup' }
  const cake = { in: 'more', is: 'menu.item.slug:cake', clash: 'x' }

  it('are listed in one field of the version', () => {
    expect(listOf(undefined)).to.deep.equal({})
    for (const listed of [[], [soup, cake]]) {
      const field = listOf({ fields: new Set(['items', 'more']), listed })
      expect(field).to.deep.equal({ _uniques: listed })
      expect(listedIn(field)).to.deep.equal(listed)
    }
    for (const version of [undefined, {}, { _uniques: null }])
      expect(listedIn(version)).to.deep.equal([])
  })

  it('are filtered by the attribute that contains them', () => {
    expect(listedUnder('items', [soup, cake, soup])).to.deep.equal([soup, soup])
    expect(listedUnder('item', [soup, cake])).to.deep.equal([])
  })

  it('have the same text if they are equal in the database', () => {
    const long = 'a'.repeat(257)
    for (const [value, text] of [
      ['soup', 'soup'],
      ['1.50', '1.50'],
      ['a'.repeat(256), 'a'.repeat(256)],
      [long, createHash('sha256').update(long).digest('hex')],
      [1.5, '1.5'],
      [true, 'true'],
      [9007199254740993n, '9007199254740993'],
      [Long.fromString('9007199254740993'), '9007199254740993'],
      [new Date(5), '1970-01-01T00:00:00.005Z'],
      [Decimal128.fromString('1.50'), '1.5'],
      [Decimal128.fromString('1E+3'), '1000'],
      [Decimal128.fromString('-0'), '0'],
      [Decimal128.fromString('NaN'), 'NaN'],
    ] as const)
      expect(uniqueText(value), String(value).slice(0, 40)).to.equal(text)
  })

  it('have the same text as another decimal only if both are equal', () => {
    const decimals = fc
      .tuple(fc.integer({ min: -999, max: 999 }), fc.integer({ min: -9, max: 9 }))
      .map(([digits, exponent]) => ({ digits, exponent }))
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        const [left, right] = [a, b].map(({ digits, exponent }) =>
          uniqueText(Decimal128.fromString(`${digits}E${exponent}`)),
        )
        const isEqual = a.digits * 10 ** (a.exponent + 9) === b.digits * 10 ** (b.exponent + 9)
        expect(left === right).to.equal(isEqual)
      }),
    )
  })
})
