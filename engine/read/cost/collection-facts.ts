import { modifiedField } from '../../values/modified.js'

/** Facts about a collection that an estimate of costs uses. They may be out of date. */
export type CollectionFacts = Readonly<{
  /** Number of documents; 0 if it is unknown. */
  entries: number
  indexes: readonly IndexFacts[]
  /** A sample of the entries; absent if none has been taken yet. */
  sample?: CollectionSample | undefined
}>

export type IndexFacts = Readonly<{
  /** The indexed paths after the locale, in order. */
  fields: readonly string[]
  /** Whether the index contains all documents, including those with null, so that entries can be read in its order. */
  isWhole: boolean
  /** Whether values are unique, or unique within each locale. */
  isUnique?: boolean
}>

/** Estimates about all entries of a collection, from a few of them. */
export type CollectionSample = Readonly<{
  /** Stored bytes of an entry. */
  bytes: number
  /** By the name of a stored field. */
  fields: ReadonlyMap<string, FieldSample>
  /** Samples by path. There is one for the leading path of each index, including references. */
  values: ReadonlyMap<string, ValueSample>
  /** Share of the entries in each locale; absent if it is unknown. */
  locales?: ReadonlyMap<string, number>
  /** Paths of all indexes, including those that no definition declares. If absent, only `indexes` exist. */
  indexed?: ReadonlySet<string>
}>

/** Averages over all entries, including those without the field. */
type FieldSample = Readonly<{
  bytes: number
  /** Number of members of a list. A value that is no list counts as one. */
  values: number
}>

/** How often values are repeated at a path, as shares of the entries. */
export type ValueSample = Readonly<{
  /** Values per entry: more than one in a list of references. */
  each: number
  /** Average share of the entries with one value, weighted by the frequency of the values. */
  usual: number
  /** Share of the entries with the most frequent value. */
  most: number
}>

export type FactsOf = (collection: string) => CollectionFacts

/** Facts for collections about which nothing is known. */
export const nothingKnown: FactsOf = () => ({ entries: 0, indexes: [] })

/**
 * Estimates the number of entries with one value at a path: for an average value (`usual`) and for the most frequent
 * one (`most`). Returns undefined if nothing is known about the path.
 * @param among number of different values, if it is known: entries are assumed to be spread over them
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

/** Whether a path has an index that no definition declares. No more is known about such an index. */
export function isIndexedByOthers(path: string, { indexes, sample }: CollectionFacts): boolean {
  return sample?.indexed?.has(path) === true && !indexes.some(({ fields }) => fields.includes(path))
}

/**
 * Estimates the number of drafts that are marked as modified. If nothing is known about the marks, all drafts count.
 * @param published number of published entries, which is used if nothing is known about the drafts
 */
export function markedEntries(
  { entries: known, sample }: CollectionFacts,
  published: number,
): number {
  const entries = known === 0 ? published : known
  if (sample === undefined) return entries
  // The sample may contain no marked draft although there are some.
  return entries * Math.max(fieldAt(sample, modifiedField)?.values ?? 0, leastShare)
}

/** Minimum share of the entries that is assumed to be marked. */
const leastShare = 0.005

/**
 * Returns the bytes of a stored field; a component counts as a whole. Undefined if nothing is known about the
 * collection.
 */
export function fieldBytes({ sample }: CollectionFacts, path: string): number | undefined {
  return sample === undefined ? undefined : (fieldAt(sample, path)?.bytes ?? 0)
}

/** Returns the number of members of the list in a field; undefined if it is unknown. */
export function listLength({ sample }: CollectionFacts, path: string): number | undefined {
  return sample === undefined ? undefined : fieldAt(sample, path)?.values
}

const fieldAt = ({ fields }: CollectionSample, path: string): FieldSample | undefined =>
  fields.get(path.split('.', 1)[0] ?? path)
