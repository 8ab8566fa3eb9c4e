import { Decimal128 } from 'mongodb'
import { plainDecimal } from './decimal.js'

/**
 * Outside this range, JavaScript shows a double with an exponent. Inside it, the text has all digits that JavaScript
 * shows; outside it, the 15 that every double has.
 */
export const writtenOut = { least: 1e-6, below: 1e21 }

/**
 * Returns the text of a stored number for text operators (docs/decisions.md, "Text operators on numbers"): `1.5`,
 * `100`, `1e-7`. Returns undefined for other values. `compileNumberText` is the same in the database.
 */
export function textOfNumber(stored: unknown): string | undefined {
  if (typeof stored === 'bigint') return stored.toString()
  if (stored instanceof Decimal128) {
    const plain = plainDecimal(stored.toString())
    return typeof plain === 'string' ? plain.replace('E', 'e') : undefined
  }
  if (typeof stored !== 'number') return undefined
  const size = Math.abs(stored)
  if (stored === 0 || (size >= writtenOut.least && size < writtenOut.below)) return String(stored)
  // Do not convert it with `Number()`, which would round the greatest doubles to infinity.
  return stored.toPrecision(15).replace(/\.?0+e/, 'e')
}

/**
 * The text of a number in a JSON body whose digits a double would lose. Types that are stored exactly (`decimal`,
 * `biginteger`) use the text; all other types use the double.
 */
export class NumberText {
  constructor(readonly text: string) {}
}
