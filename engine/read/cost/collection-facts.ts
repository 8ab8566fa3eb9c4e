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
  /** Indexes begin with the locale; these are the other indexed paths, in order. */
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
  /** Samples by the name of a stored field. */
  fields: ReadonlyMap<string, FieldSample>
  /** Samples by path: one for the first path of each index, including the paths of references. */
  values: ReadonlyMap<string, ValueSample>
  /** Share of the entries in each locale; absent if it is unknown. */
  locales?: ReadonlyMap<string, number>
  /**
   * Paths of all indexes, including those that no definition declares. If absent, only `indexes` are assumed to exist.
   */
  indexed?: ReadonlySet<string>
}>

/** Averages for one field over all entries, including entries without the field. */
type FieldSample = Readonly<{
  bytes: number
  /** Number of members of a list. A value that is not a list counts as one member. */
  values: number
}>

/** How often the values at a path repeat. Frequencies are shares of all entries. */
export type ValueSample = Readonly<{
  /** Values per entry: more than one in a list of references. */
  each: number
  /** Average share of the entries that have one particular value. Frequent values weigh more in this average. */
  usual: number
  /** Share of the entries with the most frequent value. */
  most: number
}>

export type FactsOf = (collection: string) => CollectionFacts

/** Facts for collections about which nothing is known. */
export const nothingKnown: FactsOf = () => ({ entries: 0, indexes: [] })

/**
 * Estimates how many entries have the same value at a path: on average (`usual`), and for the most frequent value
 * (`most`). Returns undefined if nothing is known about the path.
 * @param among number of different values over which the entries are assumed to be spread; 0 if unknown
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

/** Whether a path is in an index that no definition declares. Nothing else is known about such an index. */
export function isIndexedByOthers(path: string, { indexes, sample }: CollectionFacts): boolean {
  return sample?.indexed?.has(path) === true && !indexes.some(({ fields }) => fields.includes(path))
}

/**
 * Estimates the number of drafts that are marked as modified. Without a sample, all drafts are assumed to be marked.
 * @param published number of published entries, used if the number of drafts is unknown
 */
export function markedEntries(
  { entries: known, sample }: CollectionFacts,
  published: number,
): number {
  const entries = known === 0 ? published : known
  if (sample === undefined) return entries
  // A sample may contain no marked draft although the collection has some.
  return entries * Math.max(fieldAt(sample, modifiedField)?.values ?? 0, leastShare)
}

/** Minimum share of the drafts that is assumed to be marked as modified. */
const leastShare = 0.005

/**
 * Returns the bytes of a stored field. For a path into a component, returns the bytes of the whole component. Undefined
 * if nothing is known about the collection.
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
