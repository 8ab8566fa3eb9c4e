import { createHash } from 'node:crypto'
import { Decimal128 } from 'mongodb'
import { plainDecimal } from './decimal.js'
import type { Fields } from './stored-types.js'

/**
 * Field of a version that lists the unique values in its components. No other entry may have any of these values
 * (docs/internals/storage.md, "Unique values in components").
 */
export const uniquesField = '_uniques'

/** A unique value in a component, as a version lists it. */
export type ListedUnique = Readonly<{
  /** Stored name of the entry's attribute that contains the value. */
  in: string
  /** The component, its attribute and the value as text: `menu.item.slug:soup`. */
  is: string
  /**
   * documentId of this entry. Set if another entry already had the value when the list was first stored, or if the
   * value occurs twice in this entry. It makes the unique index accept the duplicate.
   */
  clash?: string
}>

/** The unique values in the components of a version. */
export type UniqueList = Readonly<{
  /** Stored names of the attributes whose components may contain unique values. */
  fields: ReadonlySet<string>
  listed: readonly ListedUnique[]
}>

/** Returns the stored list of unique values of a version. */
export const listedIn = (version: Fields | undefined): readonly ListedUnique[] =>
  (version?.[uniquesField] ?? []) as readonly ListedUnique[]

/** Returns the field that stores a version's list of unique values; an empty object if `uniques` is undefined. */
export const listOf = (uniques: UniqueList | undefined): Fields =>
  uniques === undefined ? {} : { [uniquesField]: uniques.listed }

/** Returns those listed values that are in one attribute of the entry. */
export const listedUnder = (
  field: string,
  listed: readonly ListedUnique[],
): readonly ListedUnique[] => listed.filter((one) => one.in === field)

/** Maximum number of characters of a value in the list. Longer values are replaced by their SHA-256 hash. */
const maxLength = 256

/** Converts a stored value to text for the list. Values that the database treats as equal have the same text. */
export function uniqueText(value: unknown): string {
  const text = value instanceof Date ? value.toISOString() : String(value)
  if (text.length > maxLength) return createHash('sha256').update(text).digest('hex')
  const plain = value instanceof Decimal128 ? plainDecimal(text) : text
  return typeof plain === 'string' ? plain : text
}
