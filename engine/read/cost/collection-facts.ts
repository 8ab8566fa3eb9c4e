import { modifiedField } from '../../values/modified.js'
import { assumed } from './cost-units.js'

/** Facts for estimating costs. They may be out of date. */
export type CollectionFacts = Readonly<{
  /** 0 if unknown. */
  entries: number
  indexes: readonly IndexFacts[]
  /** Absent if none has been taken yet. */
  sample?: CollectionSample | undefined
}>

export type IndexFacts = Readonly<{
  /** The indexed paths in order, without the locale, which is always the first. */
  fields: readonly string[]
  /** Whether the index also contains entries whose value is null, so that a list can be read in its order. */
  isWhole: boolean
  /** Values may be unique only within a locale. */
  isUnique?: boolean
}>

/** Estimates about all entries of a collection, from a few of them. */
export type CollectionSample = Readonly<{
  /** Stored bytes of an entry. */
  bytes: number
  /** By the name of the stored field. */
  fields: ReadonlyMap<string, FieldSample>
  /** By path, such as `author.documentId`. Contains the first path of each index. */
  values: ReadonlyMap<string, ValueSample>
  /** Share of the entries in each locale; absent if unknown. */
  locales?: ReadonlyMap<string, number>
  /** Paths of all indexes, also of undeclared ones. If absent, only `indexes` are assumed to exist. */
  indexed?: ReadonlySet<string>
}>

/** Averages per entry for one field. Entries without the field count as 0. */
type FieldSample = Readonly<{
  bytes: number
  /** Number of list members. A value that is not a list counts as one. */
  values: number
}>

/** How often the values at a path repeat. Frequencies are shares of all entries. */
export type ValueSample = Readonly<{
  /** Values per entry: more than one in a list of references. */
  each: number
  /** Share of the entries that have the same value: an average over the values, weighted by their frequency. */
  usual: number
  /** Share of the entries with the most frequent value. */
  most: number
}>

export type FactsOf = (collection: string) => CollectionFacts

export const nothingKnown: FactsOf = () => ({ entries: 0, indexes: [] })

/** Estimates how many entries share a value at a path. `among`: assumed number of different values; 0 if unknown. */
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

/** Whether a path is in an index that no definition declares. */
export function isIndexedByOthers(path: string, { indexes, sample }: CollectionFacts): boolean {
  return sample?.indexed?.has(path) === true && !indexes.some(({ fields }) => fields.includes(path))
}

/** Estimates the number of drafts marked as modified. */
export function markedEntries(drafts: CollectionFacts): number {
  // A sample may contain no marked draft although the collection has some.
  const share = drafts.sample && (fieldAt(drafts, modifiedField)?.values ?? 0)
  return drafts.entries * Math.max(share ?? 1, 0.005)
}

/** Returns the bytes of a stored field, or of the whole component that contains it. */
export function fieldBytes(facts: CollectionFacts, path: string): number {
  return facts.sample === undefined ? assumed.textBytes : (fieldAt(facts, path)?.bytes ?? 0)
}

/** Returns the average number of members of the list at a path. */
export function listLength(facts: CollectionFacts, path: string): number {
  return fieldAt(facts, path)?.values ?? assumed.fanOut
}

const fieldAt = ({ sample }: CollectionFacts, path: string): FieldSample | undefined =>
  sample?.fields.get(path.split('.', 1)[0] ?? path)
