import { Decimal128 } from 'mongodb'
import { plainDecimal } from './decimal.js'

/**
 * Beyond these JavaScript shows a double with an exponent. Between them its text has all the digits that are
 * shown, elsewhere the 15 that every double has.
 */
export const writtenOut = { least: 1e-6, below: 1e21 }

/**
 * A stored number as text operators see it (docs/decisions.md, "Text operators on numbers"): `1.5`, `100`, `1e-7`.
 * Undefined for what is no number. `compileNumberText` says the same to the database.
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
  // No `Number()` of it: of the greatest doubles it would be infinite.
  return stored.toPrecision(15).replace(/\.?0+e/, 'e')
}
