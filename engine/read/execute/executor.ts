import type { Budget } from './budget.js'
import type { Timeline } from '../../timeline.js'
import type { ReadPlan } from '../plan/read-plan.js'

/** Runs plans, on this thread or in the worker pool. */
export type Executor = Readonly<{
  /** Returns null if the plan reads one document and there is none. Throws `ApiError`. */
  run: (plan: ReadPlan, options?: ReadOptions) => Promise<ReadAnswer | null>
  /** Clears cached totals. Call it after each write of this process. */
  changed: () => void
}>

/** The JSON of a response, written in the thread that read the data. */
export type ReadAnswer = Readonly<{
  bytes: Uint8Array
  /** Revision of the document that was read; null for lists. */
  revision: number | null
  /** Hash of the bytes, for `ETag`. */
  hash: string
  /** Number of entries of the whole list; null if the plan does not count them. */
  total: number | null
  /** The documents that are shown, if the plan requests them. */
  shown?: ShownDocuments
  /** Whether the total was not counted again, but computed from an earlier total and the writes reported since then. */
  isCarried?: true
}>

/**
 * The documents that a response shows, in any locale, and the collections in which a referenced document is missing.
 */
export type ShownDocuments = Readonly<{
  /** documentIds at any depth of populate; undefined if there are more than `shownUpTo` of the plan. */
  documentIds: readonly string[] | undefined
  /** Collections of targets that are missing from the response. Such a target may be created or published later. */
  awaited: readonly string[]
}>

export type ReadOptions = Readonly<{
  /** Aborted when no client waits for the response any more. */
  signal?: AbortSignal | undefined
  /** The stored bytes of the requested document, if it was just written. The document is then not read again. */
  written?: Uint8Array | undefined
  /**
   * The client that sent the request. Default: the service itself. A full queue never rejects the service's own reads,
   * because they complete the response to a finished write.
   */
  client?: ReadClient | undefined
  /** Records how long each step takes; default: nothing is measured. */
  timeline?: Timeline | undefined
}>

/** The client of a read. Admission control uses it to decide which reads wait and which run next. */
export type ReadClient = Readonly<{
  /** The client's address, or for IPv6 its network. */
  address: string
  /** Bytes of memory that the request takes while it waits. */
  bytes: number
  /** The remaining time; default: the whole time limit of a read. */
  budget?: Budget | undefined
}>
