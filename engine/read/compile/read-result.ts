import type { LocaleDependentCondition } from '../plan/bound-query.js'
import type { Condition, EdgePlan } from '../plan/read-plan.js'
import type { Stored } from '../stored/stored-document.js'

/** The data that the database returned for a plan. */
export type ReadResult = Readonly<{
  documents: readonly Stored[]
  /** Null if the plan does not count them. */
  total: number | null
  /** The distinct targets of each relation, for all sources together. */
  batches: ReadonlyMap<EdgePlan, readonly Stored[]>
  /** Number of targets by the source's `documentKey`, for relations whose targets are only counted. */
  counts: ReadonlyMap<EdgePlan, ReadonlyMap<string, number>>
  /** By the filter of a populated component: the same filter after its relations have been resolved. */
  bound: ReadonlyMap<Condition, LocaleDependentCondition>
  /** The requested page of groups. Set for an aggregation; `documents` is then empty. */
  groups?: readonly FoundGroup[]
  choices: readonly RelationChoice[]
}>

/** Keys and measures are BSON values, in the order of the plan. */
export type FoundGroup = Readonly<{
  keys: readonly unknown[]
  count: number
  measures: readonly unknown[]
}>

/** How a relation of a filter, a sort or a group was resolved. */
export type RelationChoice = Readonly<{
  purpose: 'filter' | 'sort' | 'group'
  through: string
  collection: string
  /**
   * `keys`: the command contains documentIds. `ranks`: targets were ranked for a sort, or read for a group key, in
   * advance. `lookup`: a `$lookup` runs for each source.
   */
  form: 'keys' | 'ranks' | 'lookup'
  /** Number of documentIds, or of targets read in advance; null if there are more than `maxKeys`. */
  keys: number | null
  /** Null if no keys were used, or for component values, which refer to only a few documents. */
  maxKeys: number | null
}>
