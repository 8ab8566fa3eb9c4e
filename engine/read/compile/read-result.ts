import type { LocaleDependentCondition } from './bound-query.js'
import type { Condition, EdgePlan } from '../plan/read-plan.js'
import type { Stored } from '../stored/stored-document.js'

/** The data that the database returned for a plan. */
export type ReadResult = Readonly<{
  documents: readonly Stored[]
  /** Number of entries of the whole list; null if the plan does not count them. */
  total: number | null
  /** The distinct targets of each relation, for all sources together. */
  batches: ReadonlyMap<EdgePlan, readonly Stored[]>
  /** Number of targets by the source's `documentKey`, for relations whose targets are only counted. */
  counts: ReadonlyMap<EdgePlan, ReadonlyMap<string, number>>
  /** The filters of populated components, with their relations resolved. */
  bound: ReadonlyMap<Condition, LocaleDependentCondition>
  /** The groups on the requested page of an aggregation. An aggregation has no documents. */
  groups?: readonly FoundGroup[]
  choices: readonly RelationChoice[]
}>

/** A group. Its keys and measures are BSON values, in the order of the plan. */
export type FoundGroup = Readonly<{
  keys: readonly unknown[]
  count: number
  measures: readonly unknown[]
}>

/** How a relation of a filter, a sort or a group was resolved. */
export type RelationChoice = Readonly<{
  purpose: 'filter' | 'sort' | 'group'
  /** The stored path of the relation. */
  through: string
  /** The collection of its targets. */
  collection: string
  /**
   * `keys`: the command contains a list of documentIds. `ranks`: an earlier command ranked the targets for a sort, or
   * read them for a group key. `lookup`: a `$lookup` runs for each source.
   */
  form: 'keys' | 'ranks' | 'lookup'
  /**
   * Number of documentIds in the list, or of targets ranked or read in advance; null if there are more than `maxKeys`.
   */
  keys: number | null
  /**
   * Maximum number of keys. Null if no keys were used. Also null for component values that have already been read,
   * because only the few documents to which they refer are searched.
   */
  maxKeys: number | null
}>
