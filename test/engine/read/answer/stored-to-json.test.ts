import { expect } from 'chai'
import fc from 'fast-check'
import { BSON, Binary, Decimal128, Long, ObjectId } from 'mongodb'
import type { FieldForm } from '../../../../engine/read/plan/read-plan.js'
import { JsonWriter } from '../../../../engine/read/answer/json-writer.js'
import { writeDate, writeField } from '../../../../engine/read/answer/write-value.js'
import {
  embeddedAt,
  referencesAt,
  slotOf,
  textAt,
} from '../../../../engine/read/run/stored-fields.js'
import { createLayout, locate } from '../../../../engine/read/run/stored-document.js'
import type { Stored } from '../../../../engine/read/run/stored-document.js'

const store = (document: BSON.Document, fields: readonly string[]): Stored =>
  locate(Buffer.from(BSON.serialize(document)), 0, createLayout(fields))

function written(form: FieldForm, value: unknown): string {
  const writer = new JsonWriter()
  const stored = store({ before: 1, value, behind: 'x' }, ['value'])
  writeField({ writer, plan: {} }, form, stored, slotOf(stored, 'value'))
  return Buffer.from(writer.take()).toString()
}

describe('What is stored becomes JSON', () => {
  it('text and JSON of any kind as JSON.stringify writes it', () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 })
    // BSON has no field names with a zero in them.
    const json = fc
      .jsonValue({ stringUnit: 'binary' })
      .filter((value) => !JSON.stringify(value).includes('\\u0000'))
    fc.assert(
      fc.property(text, json, (string, json) => {
        expect(written('text', string)).to.equal(JSON.stringify(string))
        for (const form of ['json', 'versions', 'blocks'] as const)
          expect(written(form, json)).to.equal(JSON.stringify(json))
      }),
      { numRuns: 500 },
    )
  })

  it('numbers and dates as JSON.stringify writes them, and no digits are lost', () => {
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

  it('every day of the calendar as toISOString writes it', () => {
    const writer = new JsonWriter()
    const wrong: string[] = []
    for (const from of [Date.parse('0001-01-01'), Date.parse('1896-01-01')]) {
      for (let day = 0; day < 146_100; day += 1) {
        const ms = from + day * 86_400_000 + ((day * 7919) % 86_400_000)
        writer.clear()
        writeDate(writer, ms)
        const text = Buffer.from(writer.take()).toString()
        if (text !== `"${new Date(ms).toISOString()}"`) wrong.push(text)
      }
    }
    expect(wrong).to.deep.equal([])
  })

  it('as null what is not there, or is no value of its form', () => {
    for (const form of ['text', 'number', 'date', 'long', 'decimal', 'json', 'link'] as const) {
      expect(written(form, null), form).to.equal('null')
    }
    expect(written('number', NaN)).to.equal('null')
    expect(written('number', 'seven')).to.equal('null')
    expect(written('decimal', Decimal128.fromString('Infinity'))).to.equal('null')
    expect(written('text', 7)).to.equal('null')
    expect(written('date', '2024-01-01')).to.equal('null')
    expect(written('boolean', 1)).to.equal('null')
    const writer = new JsonWriter()
    writeField({ writer, plan: {} }, 'text', store({ other: 1 }, ['value']), 0)
    expect(Buffer.from(writer.take()).toString()).to.equal('null')
  })

  it('what only other programs store as JavaScript writes it', () => {
    const id = new ObjectId()
    const value = { id, long: Long.fromNumber(5), bytes: new Binary(Buffer.from('abc')) }
    expect(written('json', value)).to.equal(`{"id":"${id.toHexString()}","long":5,"bytes":"YWJj"}`)
  })

  it('however long it is', () => {
    const text = '"ä\u0001'.repeat(100_000)
    expect(written('text', text)).to.equal(JSON.stringify(text))
  })
})

describe('The fields of a stored document', () => {
  it('are found in any order, whatever stands between them', () => {
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

  it('hold references and embedded values, one or a list', () => {
    const document = {
      one: { documentId: 'a' },
      many: [{ documentId: 'b', order: 2 }, { order: 1.5, documentId: 'c', __type: 'd' }, null, 7],
      none: null,
    }
    const stored = store(document, ['one', 'many', 'none', 'absent'])
    expect(referencesAt(stored, 0)).to.deep.equal([{ documentId: 'a', order: 0, __type: null }])
    expect(referencesAt(stored, 1)).to.deep.equal([
      { documentId: 'b', order: 2, __type: null },
      { documentId: 'c', order: 1.5, __type: 'd' },
    ])
    expect(embeddedAt(stored, 2)).to.deep.equal([])
    expect(embeddedAt(stored, 3)).to.deep.equal([])
  })
})
