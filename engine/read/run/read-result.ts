import type { OpenAnswer } from './bound-query.js'
import type { Condition, EdgePlan } from '../plan/read-plan.js'
import type { Stored } from './stored-document.js'

/** What the database answered to a plan. */
export type ReadResult = Readonly<{
  documents: readonly Stored[]
  /** Entries of the whole list; null where it was not asked for. */
  total: number | null
  /** The distinct targets of each edge, of all its holders together. */
  batches: ReadonlyMap<EdgePlan, readonly Stored[]>
  /** How many targets each holder has, by its `documentKey`, of the edges whose targets are only counted. */
  counts: ReadonlyMap<EdgePlan, ReadonlyMap<string, number>>
  /** The filters of populated components, with their relations answered. */
  bound: ReadonlyMap<Condition, OpenAnswer>
  /** Of an aggregation, whose documents are none: the page's groups. */
  groups?: readonly FoundGroup[]
  choices: readonly RelationChoice[]
}>

/** A group as it was found: BSON values, in the order of the plan's keys and measures. */
export type FoundGroup = Readonly<{
  keys: readonly unknown[]
  count: number
  measures: readonly unknown[]
}>

/** How a relation of a filter, a sort or a group was answered. */
export type RelationChoice = Readonly<{
  purpose: 'filter' | 'sort' | 'group'
  /** The stored path of the relation. */
  through: string
  /** Of its targets. */
  collection: string
  /**
   * `keys`: the holders are asked for by name; `ranks`: the targets are put in order, or read, beforehand; `lookup`:
   * each holder looks its targets up.
   */
  form: 'keys' | 'ranks' | 'lookup'
  /** Holders or targets that were found; null where there were more than are asked for. */
  keys: number | null
  /** Null where only what the read values refer to was asked for, or no keys. */
  maxKeys: number | null
}>
