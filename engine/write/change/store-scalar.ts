import { Decimal128, Long } from 'mongodb'
import type { ScalarAttribute } from '../../schema/attribute.js'
import { asNumber, plainDecimal } from '../../values/decimal.js'
import { checkJsonBounds, documentDepth } from '../../values/scan-json.js'
import { toBson } from '../../values/to-bson.js'
import { valueForms } from '../../values/value-forms.js'
import { checkJson } from '../body/read-body.js'
import { attributeError } from '../body/failure.js'
import { StoredSecret } from '../body/passwords.js'
import { unsignedAddress } from '../../values/link-signature.js'
import { mapAddresses } from './store-address.js'
import type { StoreAddress } from './store-address.js'

/** Password hashes, by password. */
export type Hashes = ReadonlyMap<string, string>

/** Arguments of `storeScalar` other than the value. */
export type ScalarContext = Readonly<{
  hashes: Hashes
  /** Default: `unsignedAddress`, which only removes the signature. */
  storeAddress?: StoreAddress
}>

/**
 * Converts a validated value to its stored form (docs/internals/storage.md, "An entry version").
 * @param path for errors
 * @throws 400 for an invalid number, date or time
 */
export function storeScalar(
  attribute: ScalarAttribute,
  value: unknown,
  { hashes, storeAddress = unsignedAddress }: ScalarContext,
  path: readonly string[] = [attribute.name],
): unknown {
  if (value === null || value === undefined) return null
  switch (attribute.type) {
    case 'biginteger':
    case 'decimal':
    case 'date':
    case 'time':
    case 'datetime':
    case 'timestamp':
      return storeReading(attribute, value, path)
    case 'json':
      return typeof value === 'string' ? parseJson(value, attribute.name) : value
    case 'blocks':
      return mapAddresses(value, storeAddress)
    case 'password':
      return value instanceof StoredSecret ? value.hash : hashes.get(value as string)
    default:
      return value
  }
}

/**
 * Converts a stored value to the form that validation expects.
 * @param hashes hashes of this request, which are converted back to their passwords
 */
export function viewScalar(attribute: ScalarAttribute, value: unknown, hashes: Hashes): unknown {
  if (value instanceof Long) return value.toString()
  if (value instanceof Decimal128) return viewDecimal(value)
  if (attribute.type === 'biginteger' && typeof value === 'number') return String(value)
  if (attribute.type !== 'password' || typeof value !== 'string') return value ?? null
  for (const [password, hash] of hashes) if (hash === value) return password
  return new StoredSecret(value)
}

function storeReading(
  { name, type }: ScalarAttribute,
  value: unknown,
  path: readonly string[],
): unknown {
  const reading = valueForms[type].parse?.(value)
  if (reading !== undefined && reading.as !== 'nothing') return toBson(reading)
  throw attributeError(path, reading?.message ?? `${name} has no value of its type`, value)
}

function viewDecimal(value: Decimal128): number | string {
  return asNumber(plainOf(value.toString()))
}

function plainOf(text: string): string {
  const plain = plainDecimal(text)
  return typeof plain === 'string' ? plain : text
}

/** A string that is not JSON is returned as it is (docs/internals/decisions.md, "Strict values"). */
function parseJson(text: string, name: string): unknown {
  let value: unknown
  if (/^\s*[[{]/.test(text)) checkJsonBounds(text, documentDepth)
  try {
    value = JSON.parse(text)
  } catch {
    return text
  }
  checkJson(value, name, 1)
  return value
}
