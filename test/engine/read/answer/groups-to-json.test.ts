import { expect } from 'chai'
import { Decimal128 } from 'mongodb'
import { JsonWriter } from '../../../../engine/read/answer/json-writer.js'
import { writeGroup } from '../../../../engine/read/answer/write-group.js'
import type { FieldForm, GroupsPlan, MeasurePlan } from '../../../../engine/read/plan/read-plan.js'
import type { FoundGroup } from '../../../../engine/read/compile/read-result.js'
import { textOf } from './write-stored.js'

const key = (name: string, form: FieldForm) => ({ name, form, path: name, through: [] })
const measure = (of: MeasurePlan['of'], name: string, form: FieldForm): MeasurePlan => ({
  ...{ of, name, form, path: name },
})

function group(plan: Partial<GroupsPlan>, found: Partial<FoundGroup>): string {
  const writer = new JsonWriter()
  writeGroup(
    writer,
    { keys: [], count: false, measures: [], sort: [], withTotal: false, ...plan },
    { keys: [], count: 0, measures: [], ...found },
  )
  return textOf(writer)
}

const shown = (form: FieldForm, value: unknown): string =>
  /^\{"group":\{"key":(.*)\}\}$/.exec(
    group({ keys: [key('key', form)] }, { keys: [value] }),
  )?.[1] ?? ''

describe('writeGroup', () => {
  it('writes keys, count and measures in the requested order, measures by operation', () => {
    const keys = [key('kind "a"', 'text'), key('year', 'number')]
    const measures = [
      ...[measure('sum', 'pages', 'number'), measure('avg', 'price', 'decimal')],
      ...[measure('sum', 'copies', 'long'), measure('max', 'soldAt', 'date')],
    ]
    const soldAt = new Date('2026-01-02T03:04:05.006Z')
    const found = { keys: ['news', 2026], count: 2, measures: [7, 1.5, 8n, soldAt] }
    expect(group({ keys, count: true, measures }, found)).to.equal(
      '{"group":{"kind \\"a\\"":"news","year":2026},"count":2,' +
        '"sum":{"pages":7,"copies":"8"},"avg":{"price":1.5},"max":{"soldAt":"2026-01-02T03:04:05.006Z"}}',
    )
    expect(group({ measures: measures.slice(0, 1) }, found)).to.equal(
      '{"group":{},"sum":{"pages":7}}',
    )
  })

  it('writes an average as a number, whatever the form of its attribute', () => {
    const plan = { measures: [measure('avg', 'copies', 'long')] }
    expect(group(plan, { measures: [2.5] })).to.equal('{"group":{},"avg":{"copies":2.5}}')
  })

  it('writes values as they appear in entries', () => {
    expect(shown('text', 'a "b"')).to.equal('"a \\"b\\""')
    expect(shown('boolean', false)).to.equal('false')
    expect(shown('date', new Date(0))).to.equal('"1970-01-01T00:00:00.000Z"')
    expect(shown('number', -0.5)).to.equal('-0.5')
    expect(shown('number', 7n)).to.equal('7')
    expect(shown('decimal', Decimal128.fromString('12.50'))).to.equal('12.5')
    expect(shown('long', 7)).to.equal('"7"')
    expect(shown('long', 9007199254740993n)).to.equal('"9007199254740993"')
  })

  it('writes null for missing values and for values of another type', () => {
    for (const form of ['text', 'boolean', 'date', 'number', 'decimal', 'long'] as const)
      for (const value of [null, undefined, {}, NaN, Infinity])
        expect(shown(form, value), form).to.equal('null')
    expect(shown('text', 1)).to.equal('null')
    expect(shown('boolean', 'true')).to.equal('null')
    expect(shown('date', 0)).to.equal('null')
    expect(shown('number', '1')).to.equal('null')
    expect(shown('long', Decimal128.fromString('NaN'))).to.equal('null')
  })

  it('rejects forms that cannot be grouped by', () => {
    for (const form of ['json', 'link', 'versions', 'blocks'] as const)
      expect(() => shown(form, 'a')).to.throw(`Nothing is grouped by ${form}`)
  })
})
