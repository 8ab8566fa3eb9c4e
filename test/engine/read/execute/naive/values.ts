import type { ScalarAttribute } from '../../../../../engine/schema/attribute.js'
import { isScalar } from '../../../../../engine/schema/attribute.js'
import type { Structure } from '../../../../../engine/schema/content-type.js'
import { attributeOf } from './follow.js'
import { digitsOf } from './json.js'
import type { Row } from './world.js'
import { isEntry } from './world.js'
import type { ScalarType } from '../../../../../engine/values/scalar-type.js'
import { numberTypes, textTypes } from '../../../../../engine/values/scalar-type.js'

const systemTypes: Readonly<Record<string, ScalarType>> = {
  id: 'integer',
  documentId: 'string',
  createdAt: 'datetime',
  updatedAt: 'datetime',
  publishedAt: 'datetime',
  locale: 'string',
}

/** Returns the type of a scalar. Undefined for relations, media and components. */
export function scalarTypeOf(structure: Structure, name: string): ScalarType | undefined {
  const system = isEntry(structure) || name === 'id' ? systemTypes[name] : undefined
  if (system !== undefined) return system
  const attribute = structure.attributes.get(name)
  return attribute !== undefined && isScalar(attribute) ? attribute.type : undefined
}

/** Returns the scalar value of a row. Null if nothing is stored. */
export function scalarOf({ structure, value }: Row, name: string): unknown {
  if (value === null) return null
  if (name === 'id') return value[isEntry(structure) ? '_id' : 'id'] ?? null
  const field = name in systemTypes ? name : attributeOf(structure, name).storedAs
  return value[field] ?? null
}

export const isText = (type: ScalarType): boolean => textTypes.has(type)

/** Whether text operators apply to a type: to strings and numbers. */
export const hasText = (type: ScalarType): boolean => isText(type) || numberTypes.has(type)

/** Returns the text of a stored value that text operators search. */
export function textOf(type: ScalarType, stored: unknown): string {
  if (type !== 'decimal') return String(stored)
  const digits = scaled(digitsOf(stored)).toString()
  const sign = digits.startsWith('-') ? '-' : ''
  const padded = digits.slice(sign.length).padStart(41, '0')
  return `${sign}${padded.slice(0, -40)}.${padded.slice(-40)}`.replace(/\.?0+$/, '')
}

export function shownScalars(structure: Structure): readonly ScalarAttribute[] {
  return [...structure.attributes.values()]
    .filter(isScalar)
    .filter((attribute) => !attribute.private && attribute.type !== 'password')
}

/** Converts a string from a query to a value that `compare` accepts. */
export function comparable(type: ScalarType, text: string): unknown {
  switch (type) {
    case 'integer':
    case 'float':
      return Number(text)
    case 'biginteger':
      return BigInt(text)
    case 'boolean':
      return !['false', 'f', '0', ''].includes(text)
    case 'date':
      return text.slice(0, 10)
    case 'time':
      return text.padEnd(9, '.').padEnd(12, '0')
    case 'datetime':
    case 'timestamp':
      return new Date(/^-?\d+$/.test(text) ? Number(text) : text)
    case 'decimal':
      return { toString: () => text }
    default:
      return text
  }
}

/** Compares values: null first, text by code point, decimals by all digits. */
export function compare(type: ScalarType, a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  if (type === 'decimal') return compareDigits(digitsOf(a), digitsOf(b))
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
  const [left, right] = [a, b] as [number, number]
  return left < right ? -1 : left > right ? 1 : 0
}

function compareText(a: string, b: string): number {
  const [left, right] = [[...a], [...b]]
  for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
    const difference = codePoint(left[index]) - codePoint(right[index])
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

const codePoint = (character = ''): number => character.codePointAt(0) ?? -1

function compareDigits(a: string, b: string): number {
  const [left, right] = [scaled(a), scaled(b)]
  return left < right ? -1 : left > right ? 1 : 0
}

/** Returns a decimal times 10^40, which is an integer for all values of the tests. */
function scaled(text: string): bigint {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const shift = 40 + Number(exponent) - fraction.length
  return BigInt(whole + fraction) * 10n ** BigInt(shift)
}
