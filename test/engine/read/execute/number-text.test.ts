import { expect } from 'chai'
import fc from 'fast-check'
import type { Collection } from 'mongodb'
import { Decimal128, Double, Long, MongoClient } from 'mongodb'
import { compileNumberText } from '../../../../engine/read/compile/compile-number-text.js'
import { textOfNumber } from '../../../../engine/values/number-text.js'
import { testDatabaseUri } from '../../../support/database.js'
import { runs } from '../../../support/properties.js'

type Numbered = { _id: number; v: unknown }

const decimal = (text: string): Decimal128 => Decimal128.fromString(text)

describe('compileNumberText', () => {
  let client: MongoClient
  let numbers: Collection<Numbered>
  before(async () => {
    client = await MongoClient.connect(await testDatabaseUri())
    numbers = client.db().collection<Numbered>('numbers')
  })
  after(async () => {
    await client.db().dropDatabase()
    await client.close()
  })

  async function textsOf(values: readonly unknown[]): Promise<readonly string[]> {
    await numbers.deleteMany({})
    await numbers.insertMany(values.map((v, _id) => ({ _id, v })))
    const text = compileNumberText('$v')
    const rows = await numbers
      .aggregate<{ text: string }>([{ $sort: { _id: 1 } }, { $project: { text } }])
      .toArray()
    return rows.map((row) => row.text)
  }

  const known: readonly (readonly [unknown, string])[] = [
    [0, '0'],
    [-0, '0'],
    [100, '100'],
    [new Double(3), '3'],
    [1.5, '1.5'],
    [-0.1, '-0.1'],
    [0.1 + 0.2, '0.30000000000000004'],
    [1 / 3, '0.3333333333333333'],
    [0.1234567890123456, '0.1234567890123456'],
    [2147483648, '2147483648'],
    [-9007199254740991, '-9007199254740991'],
    [1e20, '100000000000000000000'],
    [123456789012345680000, '123456789012345680000'],
    [1e21, '1e+21'],
    [1.5e300, '1.5e+300'],
    [0.000001, '0.000001'],
    [1e-7, '1e-7'],
    [-1.5e-7, '-1.5e-7'],
    [Number.MAX_VALUE, '1.79769313486232e+308'],
    [Long.fromString('-9223372036854775808'), '-9223372036854775808'],
    [decimal('1.50'), '1.5'],
    [decimal('100.0'), '100'],
    [decimal('1E+3'), '1000'],
    [decimal('-0.00'), '0'],
    [decimal('0E-10'), '0'],
    [decimal('1.50E-7'), '1.5e-7'],
    [decimal('1E+300'), '1e+300'],
    [decimal('1234567890123456789012345678901234'), '1234567890123456789012345678901234'],
    [decimal('0.1000000000000000055511151231257827'), '0.1000000000000000055511151231257827'],
    ['text', ''],
    [null, ''],
    [[1], ''],
  ]

  it('writes all digits without trailing zeros', async () => {
    expect(await textsOf(known.map(([value]) => value))).to.deep.equal(
      known.map(([, text]) => text),
    )
  })

  it('writes the same text as textOfNumber for random numbers', async () => {
    const digits = fc.bigInt({ min: -(10n ** 34n) + 1n, max: 10n ** 34n - 1n })
    const any = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.double({ noNaN: true, min: -1000, max: 1000 }),
      fc.integer(),
      fc.maxSafeInteger(),
      // Quotients, such as prices in cents divided by 100, may have rounding errors in their last digits.
      fc.tuple(fc.integer(), fc.integer({ min: 1, max: 1000 })).map(([a, b]) => a / b),
      fc.tuple(fc.integer(), fc.nat(8)).map(([a, places]) => a * 10 ** -places),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc
        .tuple(digits, fc.integer({ min: -60, max: 40 }))
        .map(([whole, exponent]) => decimal(`${whole}E${exponent}`)),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(any, { minLength: 200, maxLength: 400 }), async (values) => {
        const texts = await textsOf(values)
        expect(texts).to.deep.equal(values.map(textOfNumber))
      }),
      { numRuns: runs(15) },
    )
  })
})
