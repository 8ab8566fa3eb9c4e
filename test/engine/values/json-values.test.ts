import { expect } from 'chai'
import fc from 'fast-check'
import { Decimal128, Long } from 'mongodb'
import { meaningsOf, numberIn, textOfJson, valuesAt } from '../../../engine/values/json-values.js'
import { textOfNumber } from '../../../engine/values/number-text.js'

const decimal = (text: string): Decimal128 => Decimal128.fromString(text)

describe('meaningsOf', () => {
  it('returns the text and the number or boolean that it denotes', () => {
    for (const [text, other] of [
      ['7', 7],
      ['-7', -7],
      ['+7', 7],
      ['007', 7],
      ['12.50', 12.5],
      ['12.', 12],
      ['.25', 0.25],
      ['12e3', 12_000],
      ['1.5E3', 1500],
      ['1e+12', 1e12],
      ['-1.5e-30', -1.5e-30],
      ['true', true],
      ['false', false],
    ] as const)
      expect(meaningsOf(text), text).to.deep.equal([text, other])
    for (const text of [
      ...['', ' ', '.', '-', 'e3', '.e3', '1e', '1e+', '1.2.3', '1..2', '--1', '+-1', '1 ', ' 1'],
      ...['1\n', 'x1', '1x', 'x.5', '1e1.5', '0x1f', '1_0', '1e999', '-1e999', 'Infinity', 'NaN'],
      ...['True', 'FALSE', 'null', '1n'],
    ])
      expect(meaningsOf(text), text).to.deep.equal([text])
  })

  it('knows every number that JSON can contain', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const text = JSON.stringify(number)
        expect(numberIn(text), text).to.equal(JSON.parse(text))
      }),
    )
  })
})

describe('valuesAt', () => {
  const stored = {
    a: { b: 1, none: null },
    list: [{ b: 2 }, { b: [3, 4] }, { c: 5 }, null, 'b', [{ b: 6 }]],
    matrix: [[1, 2], 3, null],
    length: 7,
    '0': 'zero',
  }
  for (const [path, ...values] of [
    ['a', { b: 1, none: null }],
    ['a.b', 1],
    ['a.none'],
    ['a.missing'],
    ['a.b.c'],
    ['a.constructor'],
    ['list.b', 2, 3, 4],
    ['list.c', 5],
    ['list.length'],
    ['list.0'],
    ['matrix', [1, 2], 3],
    ['matrix.0'],
    ['length', 7],
    ['0', 'zero'],
    ['missing'],
    ['missing.b'],
  ] as const)
    it(`returns ${values.map((value) => JSON.stringify(value)).join(', ') || 'nothing'} at ${path}`, () => {
      expect(valuesAt(stored, path.split('.'))).to.deep.equal(values)
    })

  it('starts at each element of a list', () => {
    expect(valuesAt([{ a: 1 }, 2, { a: [null, 3] }], ['a'])).to.deep.equal([1, 3])
  })

  it('returns the value itself if there are no keys', () => {
    for (const [value, ...values] of [['x', 'x'], [[1, null, [2]], 1, [2]], [null], [undefined]])
      expect(valuesAt(value, [])).to.deep.equal(values)
  })
})

const numberTexts: readonly (readonly [unknown, string])[] = [
  [0, '0'],
  [-0, '0'],
  [100, '100'],
  [-1.5, '-1.5'],
  [0.1 + 0.2, '0.30000000000000004'],
  [1 / 3, '0.3333333333333333'],
  [0.000001, '0.000001'],
  [-0.000001, '-0.000001'],
  [0.00000099, '9.9e-7'],
  [-1e-7, '-1e-7'],
  [1.25e-7, '1.25e-7'],
  [1e-10 / 3, '3.33333333333333e-11'],
  [123456789012345680000, '123456789012345680000'],
  [-1e21, '-1e+21'],
  [1e21, '1e+21'],
  [1.5e300, '1.5e+300'],
  [1e100, '1e+100'],
  [Number.MAX_VALUE, '1.79769313486232e+308'],
  [-9223372036854775808n, '-9223372036854775808'],
  [decimal('1.50'), '1.5'],
  [decimal('1E+3'), '1000'],
  [decimal('-0.00'), '0'],
  [decimal('1.50E-7'), '1.5e-7'],
  [decimal('1E+300'), '1e+300'],
]

describe('textOfNumber', () => {
  it('writes all digits without trailing zeros', () => {
    for (const [number, text] of numberTexts) {
      expect(textOfNumber(number), String(number)).to.equal(text)
      expect(textOfJson(number), String(number)).to.equal(text)
    }
  })

  it('returns undefined for values that are not numbers', () => {
    for (const value of ['1', true, null, undefined, [1], {}, new Date(0), Long.fromNumber(1)])
      expect(textOfNumber(value), JSON.stringify(value)).to.equal(undefined)
    for (const text of ['NaN', 'Infinity'])
      expect(textOfNumber(decimal(text)), text).to.equal(undefined)
  })
})

it('textOfJson returns a text only for texts, numbers and booleans', () => {
  for (const [value, text] of [
    ['', ''],
    ['a', 'a'],
    [true, 'true'],
    [false, 'false'],
    [1.5, '1.5'],
    [null, undefined],
    [['a'], undefined],
    [{ a: 1 }, undefined],
  ] as const)
    expect(textOfJson(value), JSON.stringify(value)).to.equal(text)
})
