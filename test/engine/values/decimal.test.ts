import { expect } from 'chai'
import fc from 'fast-check'
import { Decimal128 } from 'mongodb'
import { asNumber, compareDecimals, inexact, plainDecimal } from '../../../engine/values/decimal.js'

const digits = fc.bigInt({ min: -(10n ** 34n) + 1n, max: 10n ** 34n - 1n })
const decimal = fc
  .tuple(digits, fc.integer({ min: -300, max: 300 }))
  .map(([whole, exponent]) => `${whole}e${exponent}`)

describe('decimals', () => {
  // If checking took quadratic time, the largest body would take half an hour.
  it('are checked in linear time', () => {
    const zeros = '0'.repeat(1_000_000)
    for (const text of [`1${zeros}1`, `1${zeros}.5`, `0.${zeros}1`, `${zeros}x`])
      expect(plainDecimal(text)).to.equal(text.endsWith('x') ? undefined : inexact)
    expect(plainDecimal(`${zeros}1.${zeros}`)).to.equal('1')
  })

  it('have one plain form', () => {
    for (const [text, plain] of [
      ['0', '0'],
      ['-0.00', '0'],
      ['012.50', '12.5'],
      [' +1e3 ', '1000'],
      ['.5', '0.5'],
      ['5.', '5'],
      ['0.000001', '0.000001'],
      ['0.00000012', '1.2E-7'],
      ['1E34', '1E+34'],
      ['123e-2', '1.23'],
      ['1e6144', '1E+6144'],
      ['1e6145', inexact],
      ['1e-6176', '1E-6176'],
      ['1e-6177', inexact],
      ['12345678901234567890123456789012345', inexact],
      ['', undefined],
      ['.', undefined],
      ['e5', undefined],
      ['1 000', undefined],
      ['0x10', undefined],
      ['Infinity', undefined],
      ['NaN', undefined],
    ] as const) {
      expect(plainDecimal(text), text).to.equal(plain)
    }
  })

  it('stay the same when Decimal128 stores and prints them', () => {
    fc.assert(
      fc.property(decimal, (text) => {
        const plain = String(plainDecimal(text))
        const stored = Decimal128.fromString(plain)
        expect(plainDecimal(stored.toString())).to.equal(plain)
        expect(plainDecimal(plain)).to.equal(plain)
        expect(Number(plain)).to.equal(Number(text))
      }),
    )
  })

  it('become numbers if a double shows the same digits', () => {
    expect(asNumber('0.1')).to.equal(0.1)
    expect(asNumber('1E+300')).to.equal(1e300)
    expect(asNumber('0.10000000000000001')).to.equal('0.10000000000000001')
    expect(asNumber('9007199254740993')).to.equal('9007199254740993')
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const plain = String(plainDecimal(String(number)))
        expect(asNumber(plain)).to.equal(number === 0 ? 0 : number)
      }),
    )
  })

  it('are compared by all their digits', () => {
    expect(compareDecimals('0.1', '0.10000000000000000000001')).to.equal(-1)
    expect(compareDecimals('1E+3', '1000')).to.equal(0)
    fc.assert(
      fc.property(digits, digits, fc.integer({ min: 0, max: 40 }), (a, b, exponent) => {
        const expected = a < b ? -1 : a > b ? 1 : 0
        expect(compareDecimals(`${a}e-${exponent}`, `${b}e-${exponent}`)).to.equal(expected)
      }),
    )
  })
})
