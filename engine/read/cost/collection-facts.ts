import { modifiedField } from '../../values/modified.js'

/** What a cost depends on beside the plan, as it was found a while ago. */
export type CollectionFacts = Readonly<{
  /** Documents in it; 0 where it is not known. */
  entries: number
  indexes: readonly IndexFacts[]
  /** Of some of its entries; absent where none was taken yet. */
  sample?: CollectionSample | undefined
}>

export type IndexFacts = Readonly<{
  /** The paths behind the locale, in their order. */
  fields: readonly string[]
  /** Whether it has all documents, null included: entries can be read in its order. */
  isWhole: boolean
  /** Whether one document, or one in each locale, has a value. */
  isUnique?: boolean
}>

/** What a few entries tell of all in a collection. */
export type CollectionSample = Readonly<{
  /** Bytes of an entry, as it is stored. */
  bytes: number
  /** By the name of a stored field. */
  fields: ReadonlyMap<string, FieldSample>
  /** By path: of what indexes begin with, references among it. */
  values: ReadonlyMap<string, ValueSample>
  /** Shares of the entries by their locale; absent where it is not known. */
  locales?: ReadonlyMap<string, number>
  /** The paths of all indexes that there were, those that no definition asks for too; absent: none but `indexes`. */
  indexed?: ReadonlySet<string>
}>

/** Averages over all entries, those without the field included. */
type FieldSample = Readonly<{
  bytes: number
  /** Members of a list; what is no list counts as one. */
  values: number
}>

/** How often entries have the same value at a path; shares of the entries. */
export type ValueSample = Readonly<{
  /** Values that an entry has: more than one in a list of references. */
  each: number
  /** Of entries that have one value, which is drawn as often as entries have it. */
  usual: number
  /** Of entries that have the value that most of them have. */
  most: number
}>

export type FactsOf = (collection: string) => CollectionFacts

/** Of collections of which nothing is known. */
export const nothingKnown: FactsOf = () => ({ entries: 0, indexes: [] })

/**
 * How many entries have one value at a path, expected and at most; undefined where nothing is known of it.
 * @param among how many different values there are, where that is known: entries are spread over them
 */
export function entriesPerValue(
  { entries, sample }: CollectionFacts,
  path: string,
  among = 0,
): Readonly<{ usual: number; most: number }> | undefined {
  const values = sample?.values.get(path)
  if (values === undefined || entries === 0) return undefined
  const spread = among === 0 ? 0 : (entries * values.each) / among
  const usual = Math.max(entries * values.usual, spread)
  return { usual, most: Math.max(entries * values.most, usual) }
}

/** Whether a path has an index that no definition asks for, of which no more is known. */
export function isIndexedByOthers(path: string, { indexes, sample }: CollectionFacts): boolean {
  return sample?.indexed?.has(path) === true && !indexes.some(({ fields }) => fields.includes(path))
}

/**
 * How many drafts may be modified, of which each is marked; where nothing is known of the marks, all.
 * @param published entries, where nothing is known of the drafts
 */
export function markedEntries(
  { entries: known, sample }: CollectionFacts,
  published: number,
): number {
  const entries = known === 0 ? published : known
  if (sample === undefined) return entries
  // None among those that were drawn is not none.
  return entries * Math.max(fieldAt(sample, modifiedField)?.values ?? 0, leastShare)
}

/** Of the entries of a sample. */
const leastShare = 0.005

/** Bytes of a stored field, of a component as a whole; undefined where nothing is known of the collection. */
export function fieldBytes({ sample }: CollectionFacts, path: string): number | undefined {
  return sample === undefined ? undefined : (fieldAt(sample, path)?.bytes ?? 0)
}

/** How many members the list in a field has; undefined where nothing is known of it. */
export function listLength({ sample }: CollectionFacts, path: string): number | undefined {
  return sample === undefined ? undefined : fieldAt(sample, path)?.values
}

const fieldAt = ({ fields }: CollectionSample, path: string): FieldSample | undefined =>
  fields.get(path.split('.', 1)[0] ?? path)
