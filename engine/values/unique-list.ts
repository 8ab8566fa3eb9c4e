import { createHash } from 'node:crypto'
import { Decimal128 } from 'mongodb'
import { plainDecimal } from './decimal.js'
import type { Fields } from './stored-types.js'

/**
 * Field that lists the unique values in a version's components. No other entry may have one of these values
 * (docs/internals/storage.md, "Unique values in components").
 */
export const uniquesField = '_uniques'

/** A unique value in a component. */
export type ListedUnique = Readonly<{
  /** Stored name of the entry's attribute that contains the component. */
  in: string
  /** Component, attribute and value: `menu.item.slug:soup`. */
  is: string
  /**
   * documentId of this entry, so that the unique index accepts a duplicate. Set if another entry already had the value
   * when the list was first stored, or if the value occurs twice in this entry.
   */
  clash?: string
}>

/** The unique values in a version's components. */
export type UniqueList = Readonly<{
  /** Stored names of the attributes that may contain unique values. */
  fields: ReadonlySet<string>
  listed: readonly ListedUnique[]
}>

/** Returns a version's stored list of unique values. */
export const listedIn = (version: Fields | undefined): readonly ListedUnique[] =>
  (version?.[uniquesField] ?? []) as readonly ListedUnique[]

/** Returns the field that stores a list of unique values. */
export const listOf = (uniques: UniqueList | undefined): Fields =>
  uniques === undefined ? {} : { [uniquesField]: uniques.listed }

/** Returns the listed values of one attribute of the entry. */
export const listedUnder = (
  field: string,
  listed: readonly ListedUnique[],
): readonly ListedUnique[] => listed.filter((one) => one.in === field)

/** Longer values are replaced by their SHA-256 hash. */
const maxLength = 256

/** Converts a stored value to text. Values that the database treats as equal have the same text. */
export function uniqueText(value: unknown): string {
  const text = value instanceof Date ? value.toISOString() : String(value)
  if (text.length > maxLength) return createHash('sha256').update(text).digest('hex')
  const plain = value instanceof Decimal128 ? plainDecimal(text) : text
  return typeof plain === 'string' ? plain : text
}
