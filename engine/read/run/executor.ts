import type { Budget } from './budget.js'
import type { Timeline } from '../../timeline.js'
import type { ReadPlan } from '../plan/read-plan.js'

/** Runs plans. Execution arrives as an argument: on this thread, in the pool, or whichever the cost suggests. */
export type Executor = Readonly<{
  /**
   * Null where the plan asks for one document and there is none. Throws `ApiError`.
   */
  run: (plan: ReadPlan, options?: ReadOptions) => Promise<ReadAnswer | null>
  /** To be called after this process has written something: totals that were remembered are forgotten. */
  changed: () => void
}>

/** The JSON of an answer, made where the data was read. */
export type ReadAnswer = Readonly<{
  bytes: Uint8Array
  /** Of the one document that was read; null for lists. */
  revision: number | null
  /** Of the bytes, for `ETag`. */
  hash: string
  /** Entries of the whole list; null where they were not asked for. */
  total: number | null
  /** What of it is shown, where the plan wants to be told. */
  shown?: ShownDocuments
  /** Whether its total was not counted, but carried on by what was heard of writes. */
  isCarried?: true
}>

/** Which documents an answer shows, in whatever locale, and what it would show if it were there. */
export type ShownDocuments = Readonly<{
  /** However deep they are populated; undefined where they are more than asked for. */
  documentIds: readonly string[] | undefined
  /** Collections in which something is missing that an entry refers to: it may come, or be published. */
  awaited: readonly string[]
}>

export type ReadOptions = Readonly<{
  /** Aborted when nobody waits for the answer any more. */
  signal?: AbortSignal | undefined
  /** The one document that is asked for, as it was stored just now, so that it need not be read. */
  written?: Uint8Array | undefined
  /** Default: the service itself, which is never refused for what waits: a write that was done is told of. */
  asker?: ReadAsker | undefined
  /** Told what took how long; default: nothing is measured. */
  timeline?: Timeline | undefined
}>

/** Who waits for a read: for the decision whose turn it is, and who may wait. */
export type ReadAsker = Readonly<{
  /** Of the client; an IPv6 address stands for its network. */
  address: string
  /** What is held in memory for the request while it waits. */
  bytes: number
  /** What is left of its time; default: it has all the time that a read may take. */
  budget?: Budget | undefined
}>
