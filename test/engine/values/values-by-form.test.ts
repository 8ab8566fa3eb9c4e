import { expect } from 'chai'
import { Decimal128, Long } from 'mongodb'
import { compareValues } from '../../../engine/values/compare-values.js'
import { asNumber, compareDecimals, inexact, plainDecimal } from '../../../engine/values/decimal.js'
import { isMoment, momentOf } from '../../../engine/values/now.js'
import { parseDate, parseDateTime, parseTime } from '../../../engine/values/parse-dates.js'
import { parseFlag } from '../../../engine/values/parse-flag.js'
import { parseDecimal, parseLong, parseNumber } from '../../../engine/values/parse-numbers.js'
import type { ScalarType } from '../../../engine/values/scalar-type.js'
import { jsonTypes, scalarTypes, textTypes } from '../../../engine/values/scalar-type.js'
import { toBson } from '../../../engine/values/to-bson.js'
import { valueForms } from '../../../engine/values/value-forms.js'
import { versionKeyText } from '../../../engine/values/stored-types.js'

const as = (kind: string, value: unknown) => ({ as: kind, value })
const nothing = (expected: string, message?: string) => ({ as: 'nothing', expected, message })

describe('parseDate', () => {
  const wrong = nothing('a date (yyyy-MM-dd)', 'Invalid format, expected yyyy-MM-dd')
  const none = nothing('a date (yyyy-MM-dd)', 'Invalid date')

  it('accepts an existing day, also with a time', () => {
    for (const text of [
      ...['2024-02-29', '2024-02-29T23:59', '2024-02-29 10:00:01', '2024-02-29t10:00:01.5z'],
      ...['2024-02-29T10:00:01,5+01:00', '2024-02-29T10:00:01-0130'],
    ]) {
      expect(parseDate(text), text).to.deep.equal(as('text', '2024-02-29'))
    }
    for (const text of ['2023-02-29', '2024-13-01', '2024-00-10', '2024-04-31']) {
      expect(parseDate(text), text).to.deep.equal(none)
    }
    for (const text of [
      ...['2024', '2024-1-1', '20240229', ' 2024-02-29', '2024-02-29 ', '2024-02-29T', '', 5, null],
      ...['2024-02-29T1:00', '2024-02-29T10', '2024-02-29T10:00:1', '2024-02-29T10:00Zx'],
      ...['x2024-02-29', '2024-02-29T10:00+1:00', '2024-02-29T10:00:00.', '22024-02-29'],
      ...['2024-02-29T10:00+01:0', '2024-02-29T10:0', '2024-02-29T10.5', '2024-02-29T10:00:00.x'],
    ]) {
      expect(parseDate(text), String(text)).to.deep.equal(wrong)
    }
  })
})

describe('parseTime', () => {
  it('requires seconds, and returns three decimals of them', () => {
    for (const [text, normalized] of [
      ['00:00:00', '00:00:00.000'],
      ['23:59:59.1', '23:59:59.100'],
      ['19:05:09.12', '19:05:09.120'],
      ['20:30:00.125', '20:30:00.125'],
    ] as const) {
      expect(parseTime(text)).to.deep.equal(as('text', normalized))
    }
    const wrong = nothing('a time (HH:mm:ss)', 'Invalid time format, expected HH:mm:ss.SSS')
    for (const text of [
      ...['', '10:00', '24:00:00', '10:60:00', '10:00:60', '10:00:00.', '10:00:00.1234'],
      ...['1:00:00', '10:0:00', '10:00:0', 'x10:00:00', '10:00:00x', '30:00:00', '2a:00:00'],
      ...['10:00:00,5', '10:00:00.x'],
    ]) {
      expect(parseTime(text), text).to.deep.equal(wrong)
    }
    expect(parseTime(5)).to.deep.equal(
      nothing('a time (HH:mm:ss)', 'Expected a string, got a number'),
    )
    expect(parseTime(null)).to.include({ message: 'Expected a string, got a object' })
  })
})

describe('parseDateTime', () => {
  const wrong = nothing(
    'a date and time in ISO form',
    'Invalid format, expected a timestamp or an ISO date',
  )

  it('reads an ISO date and time, in UTC if it has no zone', () => {
    for (const [text, iso] of [
      ['2024', '2024-01-01T00:00:00.000Z'],
      ['2024-03', '2024-03-01T00:00:00.000Z'],
      ['202403', '2024-03-01T00:00:00.000Z'],
      ['2024-03-05', '2024-03-05T00:00:00.000Z'],
      ['20240305', '2024-03-05T00:00:00.000Z'],
      ['2024-060', '2024-02-29T00:00:00.000Z'],
      ['2024366', '2024-12-31T00:00:00.000Z'],
      ['2023-001', '2023-01-01T00:00:00.000Z'],
      ['2024-03-05T10:20', '2024-03-05T10:20:00.000Z'],
      ['2024-03-05 10:20:30', '2024-03-05T10:20:30.000Z'],
      ['2024-03-05t10:20:30.1239z', '2024-03-05T10:20:30.123Z'],
      ['2024-03-05T10:20:30,5Z', '2024-03-05T10:20:30.500Z'],
      ['2024-03-05T10:20+01:30', '2024-03-05T08:50:00.000Z'],
      ['2024-03-05T10:20:30-0130', '2024-03-05T11:50:30.000Z'],
      ['2024-02-29T24:00', '2024-03-01T00:00:00.000Z'],
    ] as const) {
      expect(parseDateTime(text), text).to.deep.equal(as('date', Date.parse(iso)))
    }
  })

  it('reads milliseconds since 1970', () => {
    for (const [value, instant] of [
      [0, 0],
      [-1.5, -1],
      ['0', 0],
      ['-12', -12],
      ['999', 999],
      ['12345', 12_345],
      ['-12345', -12_345],
      ['123456789', 123_456_789],
      ['1704067200000', 1_704_067_200_000],
      ['8640000000000000', 8.64e15],
      [new Date(5), 5],
    ] as const) {
      expect(parseDateTime(value), String(value)).to.deep.equal(as('date', instant))
    }
  })

  it('rejects everything else', () => {
    for (const value of [
      ...[
        '',
        'x',
        '2024-13',
        '202400',
        '2024-02-30',
        '20230229',
        '2023-366',
        '2024-000',
        '2024-367',
      ],
      ...['2023366', '-2024', '-202401', '-20240115', '-2024015', '1234567890123456789', '1 0'],
      ...['2024-0315', '202403-15', '2024-03-05T25:00', '2024-03-05T10:60', '2024-02-30T10:00'],
      ...['2024-03-05T10:00+24:00', '8640000000000001', '12345678901234567', 'x2024', '2024x'],
      ...['x12345', '12345x', '2024-1', '2024-01-1', 'Jan 5 2024', null, true, undefined, {}],
      ...[NaN, Infinity, 8.64e15 + 1, new Date(NaN)],
    ]) {
      expect(parseDateTime(value), JSON.stringify(value)).to.deep.equal(wrong)
    }
  })
})

it('momentOf returns the time of a write in the form of its type, in UTC', () => {
  const now = new Date('2024-02-29T23:59:58.007+01:00')
  const forms = scalarTypes.flatMap((type) => (isMoment(type) ? [[type, momentOf(type, now)]] : []))
  expect(forms).to.deep.equal([
    ['date', '2024-02-29'],
    ['time', '22:59:58.007'],
    ['datetime', '2024-02-29T22:59:58.007Z'],
    ['timestamp', '2024-02-29T22:59:58.007Z'],
  ])
  expect(momentOf('string', now)).to.equal(undefined)
})

describe('parsing numbers', () => {
  it('accepts what JavaScript converts to a finite number', () => {
    for (const [value, number] of [
      [7, 7],
      ['7', 7],
      [' 1e3 ', 1000],
      ['0x1f', 31],
      ['-0.5', -0.5],
    ] as const) {
      expect(parseNumber(value)).to.deep.equal(as('number', number))
    }
    for (const value of ['', ' ', 'x', '1 0', '1e999', NaN, -Infinity, null, true, [1]]) {
      expect(parseNumber(value), String(value)).to.deep.equal(nothing('a number'))
    }
  })

  it('accepts 64-bit integers and keeps every digit', () => {
    for (const [value, normalized] of [
      ['9223372036854775807', '9223372036854775807'],
      ['-9223372036854775808', '-9223372036854775808'],
      [' +007 ', '7'],
      ['-007', '-7'],
      ['-0', '0'],
      ['000', '0'],
      [`${'0'.repeat(50)}12`, '12'],
      [`-${'0'.repeat(50)}12`, '-12'],
      ['+5', '5'],
      ['+9223372036854775807', '9223372036854775807'],
      [12, '12'],
      [-(2 ** 53), '-9007199254740992'],
    ] as const) {
      expect(parseLong(value), String(value)).to.deep.equal(as('long', normalized))
    }
    for (const value of [
      '',
      'x',
      '1.5',
      '1e3',
      '--1',
      '+-1',
      '1 0',
      null,
      1.5,
      1e21,
      '0x1',
      'x1',
      '1x',
    ]) {
      expect(parseLong(value), String(value)).to.deep.equal(nothing('an integer'))
    }
    for (const value of [
      ...['9223372036854775808', '-9223372036854775809', '1'.repeat(21), '1'.repeat(1000)],
      ...[`-${'1'.repeat(20)}`, '+9223372036854775808', `+${'1'.repeat(20)}`],
    ]) {
      expect(parseLong(value), value).to.deep.equal(nothing('an integer of 64 bits'))
    }
  })

  it('accepts decimals of up to 34 digits and keeps every digit', () => {
    expect(parseDecimal(12.5)).to.deep.equal(as('decimal', '12.5'))
    expect(parseDecimal(' 012.50 ')).to.deep.equal(as('decimal', '12.5'))
    for (const value of ['', 'x', '1 0', null, true, NaN]) {
      expect(parseDecimal(value), String(value)).to.deep.equal(nothing('a number'))
    }
    const inexactly = nothing('a decimal of at most 34 digits')
    expect(parseDecimal('1'.repeat(35))).to.deep.equal(inexactly)
    expect(parseDecimal('1e6145')).to.deep.equal(inexactly)
  })
})

describe('plain form of a decimal', () => {
  const nines = '9'.repeat(34)
  for (const [text, plain] of [
    ['0', '0'],
    ['-0e5', '0'],
    ['00100', '100'],
    ['-1.50', '-1.5'],
    ['+1.5E1', '15'],
    ['.05', '0.05'],
    ['5.', '5'],
    ['0.000001', '0.000001'],
    ['0.0000012', '0.0000012'],
    ['0.00000012', '1.2E-7'],
    ['0.0000001', '1E-7'],
    ['-1e-7', '-1E-7'],
    ['1e33', `1${'0'.repeat(33)}`],
    ['1e34', '1E+34'],
    ['12e33', '1.2E+34'],
    ['123e31', `123${'0'.repeat(31)}`],
    [nines, nines],
    [`${nines}e-34`, `0.${nines}`],
    [`${nines}e-33`, `9.${'9'.repeat(33)}`],
    [`${nines}0`, `9.${'9'.repeat(33)}E+34`],
    [`${nines}9`, inexact],
    ['1e6144', '1E+6144'],
    ['10e6143', '1E+6144'],
    ['1e6145', inexact],
    ['1e-6176', '1E-6176'],
    ['1e-6177', inexact],
    ['10e-6177', '1E-6176'],
    ['1.5e-6176', inexact],
    [' 1\n', '1'],
    ['1e+3', '1000'],
    ['1e-3', '0.001'],
    ['', undefined],
    ['.', undefined],
    ['+', undefined],
    ['e5', undefined],
    ['1e', undefined],
    ['1e1.5', undefined],
    ['1.2.3', undefined],
    ['x1', undefined],
    ['1x', undefined],
    ['1 0', undefined],
  ] as const) {
    it(`is ${String(plain).slice(0, 45)} for ${JSON.stringify(text).slice(0, 45)}`, () =>
      expect(plainDecimal(text)).to.equal(plain))
  }

  it('becomes a number if a double shows the same digits', () => {
    for (const text of ['0', '0.1', '-12.5', '1E+300', '1E-7']) {
      expect(asNumber(text), text).to.equal(Number(text))
    }
    for (const text of ['0.10000000000000001', '9007199254740993', '1E+400']) {
      expect(asNumber(text), text).to.equal(text)
    }
  })
})

describe('compareValues', () => {
  const later = (a: unknown, b: unknown) => {
    expect(compareValues(a, b)).to.be.greaterThan(0)
    expect(compareValues(b, a)).to.be.lessThan(0)
    expect(compareValues(a, a)).to.equal(0)
    expect(compareValues(b, b)).to.equal(0)
  }

  it('puts null before all other values', () => {
    for (const value of [0, -1, '', false, new Date(-1), Decimal128.fromString('-1')]) {
      later(value, null)
    }
  })

  it('compares texts by code point', () => {
    later('b', 'a')
    later('aa', 'a')
    later('\u{10000}', '\uffff')
  })

  it('compares numbers, dates and booleans by value', () => {
    later(2, 1)
    later(2n, 1n)
    later(9007199254740993n, 2 ** 53)
    later(new Date(2), new Date(1))
    later(true, false)
    later(Decimal128.fromString('0.10000000000000000000001'), Decimal128.fromString('0.1'))
    later(Decimal128.fromString('0.10000000000000000000001'), 0.1)
    later(9007199254740993n, Decimal128.fromString('9007199254740992.5'))
    later(2, Decimal128.fromString('1.5'))
    later(2n, Decimal128.fromString('-1E+3'))
    expect(compareValues(Decimal128.fromString('1E+3'), 1000)).to.equal(0)
  })

  it('compares decimals by all their digits', () => {
    for (const [a, b, expected] of [
      ['1', '1.0', 0],
      ['0', '-0', 0],
      ['-1', '1', -1],
      ['1e3', '999.9', 1],
      ['-1e3', '-999.9', -1],
      ['1e-3', '0.0011', -1],
      ['0', '0.1', -1],
      ['0', '-0.1', 1],
      ['0e999999999', '1', -1],
      ['Infinity', '1', Infinity],
      ['1', 'Infinity', -Infinity],
    ] as const) {
      expect(compareDecimals(a, b), `${a} ${b}`).to.equal(expected)
    }
  })
})

describe('value forms', () => {
  const samples: readonly unknown[] = [
    ...['a', '', '7', '1.5', '2024-01-15', '10:00:00', 'true', 'F', '1'.repeat(40)],
    ...[7, 1.5, 1e300, 2 ** 53, NaN, true, false, null, [], [1], {}],
  ]
  const takes = (type: ScalarType) => samples.filter((value) => valueForms[type].isDefault(value))
  const means = (type: ScalarType, value: unknown) => valueForms[type].parse?.(value)

  it('exist for every attribute type', () => {
    expect([...jsonTypes]).to.deep.equal(['json', 'array', 'blocks'])
    const texts = ['string', 'text', 'richtext', 'enumeration', 'email', 'uid']
    expect([...textTypes]).to.deep.equal(texts)
    expect(scalarTypes).to.deep.equal([
      ...['string', 'text', 'richtext', 'enumeration', 'email', 'password', 'uid', 'date', 'time'],
      ...['datetime', 'timestamp', 'integer', 'biginteger', 'float', 'decimal', 'boolean', 'json'],
      ...['array', 'blocks'],
    ])
    expect(Object.keys(valueForms)).to.have.members(scalarTypes)
  })

  it('restrict the default of each attribute type', () => {
    const texts = samples.filter((value) => typeof value === 'string')
    for (const type of [
      'string',
      'text',
      'richtext',
      'enumeration',
      'email',
      'uid',
      'password',
    ] as const) {
      expect(takes(type), type).to.deep.equal(texts)
      expect(valueForms[type].expected).to.equal('text')
    }
    for (const [type, values, expected] of [
      ['date', ['2024-01-15'], 'a date (yyyy-MM-dd)'],
      ['time', ['10:00:00'], 'a time (HH:mm:ss)'],
      ['datetime', ['7', '2024-01-15', 7, 1.5], 'a date and time in ISO form'],
      ['timestamp', ['7', '2024-01-15', 7, 1.5], 'a date and time in ISO form'],
      ['integer', [7], 'a whole number'],
      ['float', [7, 1.5, 1e300, 2 ** 53], 'a number'],
      ['biginteger', ['7', 7], 'a whole number'],
      ['decimal', ['7', '1.5', 7, 1.5, 1e300, 2 ** 53], 'a number of at most 34 digits'],
      ['boolean', [true, false], 'true or false'],
      ['array', [[], [1]], 'a list'],
      ['blocks', [[], [1]], 'a list'],
    ] as const) {
      expect(takes(type), type).to.deep.equal(values)
      expect(valueForms[type].expected).to.equal(expected)
    }
    expect(takes('json')).to.deep.equal(samples)
    expect(valueForms.json.expected).to.equal('any JSON value')
  })

  it('parse values of bodies and filters', () => {
    expect(means('string', 'a')).to.deep.equal(as('text', 'a'))
    expect(means('enumeration', 7)).to.deep.equal(nothing('text'))
    expect(means('integer', '1.5')).to.deep.equal(as('number', 1.5))
    expect(means('float', '1.5')).to.deep.equal(as('number', 1.5))
    expect(means('biginteger', '7')).to.deep.equal(as('long', '7'))
    expect(means('decimal', '1.50')).to.deep.equal(as('decimal', '1.5'))
    expect(means('date', '2024-01-15')).to.deep.equal(as('text', '2024-01-15'))
    expect(means('time', '10:00:00')).to.deep.equal(as('text', '10:00:00.000'))
    expect(means('datetime', 7)).to.deep.equal(as('date', 7))
    expect(means('timestamp', 7)).to.deep.equal(as('date', 7))
    for (const yes of [true, 'true', 'yes', 'x', ' ']) {
      expect(means('boolean', yes)).to.deep.equal(as('boolean', true))
    }
    for (const no of [false, 'false', 'FALSE', 'f', 'F', '0', '', 1, null]) {
      expect(means('boolean', no), String(no)).to.deep.equal(as('boolean', false))
    }
    for (const type of ['json', 'array', 'blocks', 'password'] as const) {
      expect(valueForms[type].parse).to.equal(undefined)
    }
    expect(parseFlag('no')).to.equal(true)
  })

  it('are stored as BSON types', () => {
    expect(toBson({ as: 'text', value: 'a' })).to.equal('a')
    expect(toBson({ as: 'number', value: 1.5 })).to.equal(1.5)
    expect(toBson({ as: 'boolean', value: true })).to.equal(true)
    expect(toBson({ as: 'date', value: 5 })).to.deep.equal(new Date(5))
    expect(toBson({ as: 'long', value: '7' })).to.deep.equal(Long.fromNumber(7))
    expect(toBson({ as: 'decimal', value: '1.5' })).to.deep.equal(Decimal128.fromString('1.5'))
  })

  it('include a text for the key of a version', () => {
    expect(versionKeyText({ documentId: 'a', locale: 'en' })).to.equal('a en')
    expect(versionKeyText({ documentId: 'a', locale: null })).to.equal('a ')
  })
})
