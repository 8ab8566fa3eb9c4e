import { expect } from 'chai'
import { Binary, Decimal128, Long, ObjectId } from 'mongodb'
import { JsonWriter } from '../../../../engine/read/answer/json-writer.js'
import { writeDate, writeField } from '../../../../engine/read/answer/write-value.js'
import { embeddedAt, referencesAt } from '../../../../engine/read/stored/stored-fields.js'
import { store, textOf, written } from './write-stored.js'

describe('writing stored values as JSON', () => {
  it('writes years with fewer or more than four digits like toISOString', () => {
    const first = Date.parse('0001-01-01T00:00:00.000Z')
    const last = Date.parse('9999-12-31T23:59:59.999Z')
    for (const ms of [first, first - 1, first + 1, last, last - 1, last + 1, 8.64e15, -8.64e15]) {
      expect(written('date', new Date(ms))).to.equal(JSON.stringify(new Date(ms)))
    }
    const writer = new JsonWriter()
    writeDate(writer, 8.64e15 + 1)
    expect(textOf(writer)).to.equal('null')
  })

  it('writes times to the millisecond', () => {
    const of = (text: string): string => written('date', new Date(text))
    for (const time of ['00:00:00.000', '23:59:59.999', '01:02:03.004', '12:34:56.789'])
      expect(of(`2024-02-29T${time}Z`)).to.equal(`"2024-02-29T${time}Z"`)
  })

  it('writes scalars by the form of their attribute', () => {
    expect(written('text', 'a "b"')).to.equal('"a \\"b\\""')
    expect(written('boolean', true)).to.equal('true')
    expect(written('boolean', false)).to.equal('false')
    expect(written('number', 7)).to.equal('7')
    expect(written('number', -0.5)).to.equal('-0.5')
    expect(written('number', Long.fromString('9007199254740993'))).to.equal('9007199254740993')
    expect(written('long', 7)).to.equal('"7"')
    expect(written('long', Long.fromString('-9007199254740993'))).to.equal('"-9007199254740993"')
    expect(written('decimal', 1.5)).to.equal('1.5')
    for (const digits of ['12.50', '-12.50', '1E+3'])
      expect(written('decimal', Decimal128.fromString(digits))).to.equal(digits)
  })

  it('writes null for missing values and for values of another type', () => {
    for (const form of ['text', 'number', 'date', 'long', 'decimal', 'json', 'link'] as const) {
      expect(written(form, null), form).to.equal('null')
    }
    expect(written('text', 7)).to.equal('null')
    expect(written('date', '2024-01-01')).to.equal('null')
    expect(written('boolean', 1)).to.equal('null')
    for (const form of ['number', 'long', 'decimal'] as const) {
      expect(written(form, 'seven'), form).to.equal('null')
      expect(written(form, NaN), form).to.equal('null')
      expect(written(form, true), form).to.equal('null')
    }
    for (const digits of ['Infinity', '-Infinity', 'NaN'])
      expect(written('decimal', Decimal128.fromString(digits)), digits).to.equal('null')
    const writer = new JsonWriter()
    writeField({ writer, plan: {} }, 'text', store({ other: 1 }, ['value']), 0)
    expect(textOf(writer)).to.equal('null')
  })

  it('writes any JSON like JSON.stringify', () => {
    const values = [
      ...[{}, [], [[]], { a: {} }, 'text', '', 0, -1.5, 2 ** 40, true, false],
      ...[[true, false, null, 'a"\n'], { a: 1, 'b"': [2, { c: null }], '': 'empty name' }],
    ]
    for (const form of ['json', 'versions', 'blocks'] as const)
      for (const value of values) expect(written(form, value)).to.equal(JSON.stringify(value))
    expect(written('json', [NaN, Infinity, 1])).to.equal('[null,null,1]')
  })

  it('writes BSON types that only other programs store like JSON.stringify', () => {
    const id = new ObjectId()
    const value = { id, long: Long.fromNumber(5), bytes: new Binary(Buffer.from('abc')), last: 1 }
    const json = `{"id":"${id.toHexString()}","long":5,"bytes":"YWJj","last":1}`
    expect(written('json', value)).to.equal(json)
    expect(written('json', Long.fromString('9007199254740992'))).to.equal('9007199254740992')
    expect(written('json', new Date(0))).to.equal('"1970-01-01T00:00:00.000Z"')
    expect(written('json', [/a/i, 1])).to.equal('[{},1]')
  })

  it('writes texts of any length', () => {
    const text = '"ä\u0001'.repeat(100_000)
    expect(written('text', text)).to.equal(JSON.stringify(text))
  })
})

describe('fields of a stored document', () => {
  it('return references and embedded values, single or in a list', () => {
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
