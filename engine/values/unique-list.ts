import { createHash } from 'node:crypto'
import { Decimal128 } from 'mongodb'
import { plainDecimal } from './decimal.js'
import type { Fields } from './stored-types.js'

/** The field of a version that lists what its components hold and no other entry may (docs/storage.md, "Unique values in components"). */
export const uniquesField = '_uniques'

/** A value in a component that no other entry of the type may have. */
export type ListedUnique = Readonly<{
  /** Stored name of the entry's attribute under which it stands. */
  in: string
  /** `menu.item.slug:soup`: the component, its attribute and the value. */
  is: string
  /** documentId of the entry, where the value stood elsewhere before it was listed: the index lets it be there twice. */
  clash?: string
}>

/** What a version lists. */
export type UniqueList = Readonly<{
  /** Stored names of the attributes under which there may be such values. */
  fields: ReadonlySet<string>
  listed: readonly ListedUnique[]
}>

/** What a version lists, as it was read. */
export const listedIn = (version: Fields | undefined): readonly ListedUnique[] =>
  (version?.[uniquesField] ?? []) as readonly ListedUnique[]

/** The field of a version with such a list. */
export const listOf = (uniques: UniqueList | undefined): Fields =>
  uniques === undefined ? {} : { [uniquesField]: uniques.listed }

/** What stands under an attribute of the entry. */
export const listedUnder = (
  field: string,
  listed: readonly ListedUnique[],
): readonly ListedUnique[] => listed.filter((one) => one.in === field)

/** Longer texts are listed by their hash. */
const maxLength = 256

/** A stored value as text. Values that are equal in the database have the same. */
export function uniqueText(value: unknown): string {
  const text = value instanceof Date ? value.toISOString() : String(value)
  if (text.length > maxLength) return createHash('sha256').update(text).digest('hex')
  const plain = value instanceof Decimal128 ? plainDecimal(text) : text
  return typeof plain === 'string' ? plain : text
}
