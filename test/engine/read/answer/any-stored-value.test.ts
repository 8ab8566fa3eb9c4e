import { expect } from 'chai'
import fc from 'fast-check'
import { BSON, Decimal128, Long, ObjectId } from 'mongodb'
import { createLayout, locate } from '../../../../engine/read/stored/stored-document.js'
import { slotOf, textAt } from '../../../../engine/read/stored/stored-fields.js'
import { written } from './write-stored.js'
import { runs } from '../../../support/properties.js'

describe('writing random stored values as JSON', () => {
  it('writes texts and JSON like JSON.stringify', () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 })
    // BSON field names cannot contain zero characters.
    const json = fc
      .jsonValue({ stringUnit: 'binary' })
      .filter((value) => !JSON.stringify(value).includes('\\u0000'))
    fc.assert(
      fc.property(text, json, (string, json) => {
        expect(written('text', string)).to.equal(JSON.stringify(string))
        for (const form of ['json', 'versions', 'blocks'] as const)
          expect(written(form, json)).to.equal(JSON.stringify(json))
      }),
      { numRuns: runs(500) },
    )
  })

  it('writes numbers and dates like JSON.stringify, without losing digits', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.maxSafeInteger(),
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        fc.oneof(
          fc.date({ noInvalidDate: true }),
          fc.date({ min: new Date(-2000), max: new Date(), noInvalidDate: true }),
        ),
        (double, integer, long, date) => {
          expect(written('number', double)).to.equal(JSON.stringify(double))
          expect(written('number', integer)).to.equal(String(integer))
          expect(written('long', Long.fromBigInt(long))).to.equal(`"${long}"`)
          expect(written('date', date)).to.equal(JSON.stringify(date))
        },
      ),
    )
    expect(written('date', new Date(8.64e15))).to.equal('"+275760-09-13T00:00:00.000Z"')
    const digits = '1234567890123456789012345678.901234'
    expect(written('decimal', Decimal128.fromString(digits))).to.equal(digits)
  })
})

describe('locating fields in random documents', () => {
  it('finds fields in any order, between any other fields', () => {
    const names = ['_id', 'documentId', 'title', 'titles', 'tit', 'über']
    const value = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.constantFrom<unknown>(null, 1, 2.5, true, new Date(0), new ObjectId(), /a/i, Long.ONE),
      fc.constantFrom<unknown>([1, { a: 1 }], { a: { b: [] } }, Decimal128.fromString('1.5')),
    )
    const layout = createLayout(names)
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(fc.constantFrom(...names, 'more', 't', 'documentIds'), value), {
          selector: ([name]) => name,
        }),
        (entries) => {
          const document = Object.fromEntries(entries)
          const stored = locate(Buffer.from(BSON.serialize(document)), 0, layout)
          for (const name of names) {
            const is = document[name]
            expect(textAt(stored, slotOf(stored, name))).to.equal(
              typeof is === 'string' ? is : null,
            )
            expect(stored.places[slotOf(stored, name)] !== 0).to.equal(
              Object.hasOwn(document, name),
            )
          }
        },
      ),
    )
  })
})
