import type { OpenCondition } from './bound-condition.js'
import type { Condition, EdgePlan } from './read-plan.js'
import type { Stored } from '../stored/stored.js'

/** What the database answered to a plan. */
export type ReadResult = Readonly<{
  documents: readonly Stored[]
  /** Entries of the whole list; null where it was not asked for. */
  total: number | null
  /** The distinct targets of each edge, of all its holders together. */
  batches: ReadonlyMap<EdgePlan, readonly Stored[]>
  /** The filters of populated components, with their relations answered. */
  bound: ReadonlyMap<Condition, OpenCondition>
}>
