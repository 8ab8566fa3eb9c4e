import { createHash } from 'node:crypto'
import { Decimal128 } from 'mongodb'
import { plainDecimal } from './decimal.js'
import type { Fields } from './stored-types.js'

/**
 * Field of a version that lists the values in its components that no other entry may have (docs/storage.md, "Unique
 * values in components").
 */
export const uniquesField = '_uniques'

/** A value in a component that no other entry of the type may have. */
export type ListedUnique = Readonly<{
  /** Stored name of the entry's attribute that contains the value. */
  in: string
  /** `menu.item.slug:soup`: the component, its attribute and the value. */
  is: string
  /**
   * documentId of this entry, if another entry already had the value before it was listed. This member makes the index
   * accept the duplicate.
   */
  clash?: string
}>

/** The list of a version. */
export type UniqueList = Readonly<{
  /** Stored names of the attributes that may contain such values. */
  fields: ReadonlySet<string>
  listed: readonly ListedUnique[]
}>

/** Returns the list of a version as it was read. */
export const listedIn = (version: Fields | undefined): readonly ListedUnique[] =>
  (version?.[uniquesField] ?? []) as readonly ListedUnique[]

/** Returns the field of a version that stores the list. */
export const listOf = (uniques: UniqueList | undefined): Fields =>
  uniques === undefined ? {} : { [uniquesField]: uniques.listed }

/** Returns the listed values in one attribute of the entry. */
export const listedUnder = (
  field: string,
  listed: readonly ListedUnique[],
): readonly ListedUnique[] => listed.filter((one) => one.in === field)

/** Maximum number of characters of a listed text. Longer texts are hashed. */
const maxLength = 256

/** Returns the text of a stored value. Values that are equal in the database have equal texts. */
export function uniqueText(value: unknown): string {
  const text = value instanceof Date ? value.toISOString() : String(value)
  if (text.length > maxLength) return createHash('sha256').update(text).digest('hex')
  const plain = value instanceof Decimal128 ? plainDecimal(text) : text
  return typeof plain === 'string' ? plain : text
}
