import { Decimal128 } from 'mongodb'
import { writtenOut } from '../../values/number-text.js'

type Expression = unknown

const decimal = (text: string): Decimal128 => Decimal128.fromString(text)
const zero = decimal('0')

/**
 * Expression: a stored number as a string, like `textOfNumber`; an empty string for other values. `$toString` shows 6
 * or 17 digits of a double, depending on the version of MongoDB.
 */
export function compileNumberText(input: Expression): Expression {
  const branches = [
    [{ $not: [{ $isNumber: '$$number' }] }, ''],
    [{ $in: [{ $type: '$$number' }, ['int', 'long']] }, { $toString: '$$number' }],
    [{ $eq: ['$$number', 0] }, '0'],
    [{ $eq: [{ $type: '$$number' }, 'decimal'] }, writeDecimal(decimalInFull)],
    [{ $and: [isBelow(2 ** 53), { $eq: ['$$number', { $trunc: '$$number' }] }] }, wholeNumber],
    [
      { $and: [{ $gte: [size, writtenOut.least] }, isBelow(writtenOut.below)] },
      writeDecimal(inFull({ $cond: [isExact, fifteenDigits, longer] })),
    ],
  ]
  return withVariables(
    { number: input },
    {
      $switch: {
        branches: branches.map(([when, then]) => ({ case: when, then })),
        default: writeDecimal(fifteenDigits),
      },
    },
  )
}

const withVariables = (vars: Readonly<Record<string, Expression>>, within: Expression) => ({
  $let: { vars, in: within },
})

const size = { $abs: '$$number' }
const isBelow = (bound: number | Decimal128): Expression => ({ $lt: [size, bound] })

/** `$toDecimal` keeps 15 digits of a double. */
const fifteenDigits = { $toDecimal: '$$number' }
const isExact = { $eq: [{ $toDouble: fifteenDigits }, '$$number'] }

const wholeNumber = { $toString: { $toLong: '$$number' } }

/** Writes a decimal of at most 34 digits without an exponent: adding a zero turns `1E+3` into `1000`. */
const inFull = (number: Expression): Expression => ({ $add: [number, zero] })

const decimalInFull = { $cond: [isBelow(decimal('1E+34')), inFull('$$number'), '$$number'] }

/** Writes a decimal without final zeros and with a lower-case `e`: `1.50E-7` becomes `1.5e-7`. */
function writeDecimal(number: Expression): Expression {
  const digits = '$$digits'
  const withoutZeros = { $rtrim: { input: { $rtrim: { input: digits, chars: '0' } }, chars: '.' } }
  return withVariables(
    { parts: { $split: [{ $toString: number }, 'E'] } },
    withVariables(
      { digits: { $first: '$$parts' }, exponent: { $slice: ['$$parts', 1, 1] } },
      {
        $concat: [
          { $cond: [{ $gte: [{ $indexOfBytes: [digits, '.'] }, 0] }, withoutZeros, digits] },
          {
            $cond: [{ $eq: ['$$exponent', []] }, '', { $concat: ['e', { $first: '$$exponent' }] }],
          },
        ],
      },
    ),
  )
}

/** The number with 16 significant digits if these convert back to the same double, otherwise with 17. */
const longer = withVariables(
  { exact: exactly() },
  {
    $cond: [{ $eq: [{ $toDouble: rounded(16) }, '$$number'] }, rounded(16), rounded(17)],
  },
)

/**
 * Rounds to the given number of digits. Adding a large number drops the digits beyond 34, and subtracting it leaves the
 * rounded value.
 */
function rounded(digits: number): Expression {
  const large = { $multiply: ['$$exact', decimal(`1E+${34 - digits}`)] }
  return { $subtract: [{ $add: ['$$exact', large] }, large] }
}

/**
 * Expression: the number as a decimal of 34 digits. `$toDecimal` keeps only 15 digits of a double, but converts whole
 * numbers exactly. So powers of two split the double into whole numbers.
 */
function exactly(): Expression {
  const scaled = (number: Expression, power: number) => ({ $multiply: [number, 2 ** power] })
  const whole = { $trunc: '$$number' }
  const high = { $trunc: scaled('$$number', -32) }
  const low = { $subtract: [whole, scaled(high, 32)] }
  const behind = scaled({ $subtract: ['$$number', whole] }, 48)
  const further = scaled({ $subtract: [behind, { $trunc: behind }] }, 48)
  const part = (number: Expression, unit: string): Expression => ({
    $multiply: [{ $toDecimal: { $toLong: { $trunc: number } } }, decimal(unit)],
  })
  return {
    $add: [
      part(high, '4294967296'),
      part(low, '1'),
      part(behind, '3.552713678800500929355621337890625E-15'),
      part(further, '1.262177448353618888658765704452458E-29'),
    ],
  }
}
