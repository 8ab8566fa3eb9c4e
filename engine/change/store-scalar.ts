import { Decimal128, Long } from 'mongodb'
import { asNumber, plainDecimal } from '../values/decimal.js'
import type { ScalarAttribute } from '../schema/attribute.js'
import { parseDate, parseDateTime, parseTime } from '../values/parse-dates.js'
import { toBigInt } from './number-rules.js'
import { checkJson } from './read-body.js'
import { StoredSecret } from './stored-secret.js'

/** Hashes by the password they were made of. */
export type Hashes = ReadonlyMap<string, string>

/**
 * A validated value as it is stored (`storage.md`, "An entry version").
 * @throws 400 for dates and times in another format
 */
export function storeScalar(attribute: ScalarAttribute, value: unknown, hashes: Hashes): unknown {
  if (value === null || value === undefined) return null
  switch (attribute.type) {
    case 'biginteger': {
      const whole = toBigInt(value)
      return whole === undefined ? null : Long.fromBigInt(whole)
    }
    case 'decimal':
      return storeDecimal(value as number | string)
    case 'date':
      return parseDate(value)
    case 'time':
      return parseTime(value)
    case 'datetime':
    case 'timestamp':
      return parseDateTime(value)
    case 'json':
      return typeof value === 'string' ? parseJson(value, attribute.name) : value
    case 'password':
      return value instanceof StoredSecret ? value.hash : hashes.get(value as string)
    default:
      return value
  }
}

/** A stored value as rules see it. */
export function viewScalar(attribute: ScalarAttribute, value: unknown, hashes: Hashes): unknown {
  if (value instanceof Long) return value.toString()
  if (value instanceof Decimal128) return viewDecimal(value)
  if (attribute.type === 'biginteger' && typeof value === 'number') return String(value)
  if (attribute.type !== 'password' || typeof value !== 'string') return value ?? null
  for (const [password, hash] of hashes) if (hash === value) return password
  return new StoredSecret(value)
}

function storeDecimal(value: number | string): Decimal128 {
  return Decimal128.fromString(plainOf(String(value)))
}

function viewDecimal(value: Decimal128): number | string {
  return asNumber(plainOf(value.toString()))
}

function plainOf(text: string): string {
  const plain = plainDecimal(text)
  return typeof plain === 'string' ? plain : text
}

/** A text that is JSON is kept as what it says (D21). */
function parseJson(text: string, name: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return text
  }
  checkJson(value, name, 1)
  return value
}
