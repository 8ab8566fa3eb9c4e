import { Decimal128 } from 'mongodb'
import { plainDecimal } from './decimal.js'

/**
 * Range in which JavaScript prints a double without an exponent. Outside it, `textOfNumber` returns 15 digits, because
 * further digits of a double are not always exact.
 */
export const writtenOut = { least: 1e-6, below: 1e21 }

/**
 * Returns the text of a stored number that text operators search: `1.5`, `100`, `1e-7` (docs/internals/decisions.md,
 * "Text operators on numbers"). `compileNumberText` does the same in a database expression.
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
  // Change the text, because `Number()` would round the 15 digits of the largest doubles up to infinity.
  return stored.toPrecision(15).replace(/\.?0+e/, 'e')
}

/**
 * A number in a JSON body that a double cannot represent exactly. `decimal` and `biginteger` use the text; other types
 * convert it to a double.
 */
export class NumberText {
  constructor(readonly text: string) {}
}
