import type { Budget } from './budget.js'
import type { Timeline } from '../../timeline.js'
import type { ReadPlan } from '../plan/read-plan.js'

/** Runs plans, on this thread or in the worker pool. */
export type Executor = Readonly<{
  /** Returns null if the requested document does not exist. Throws `ApiError`. */
  run: (plan: ReadPlan, options?: ReadOptions) => Promise<ReadAnswer | null>
}>

/** The JSON of a response, written in the thread that read the data. */
export type ReadAnswer = Readonly<{
  bytes: Uint8Array
  /** Revision of the document; null for lists. */
  revision: number | null
  /** Hash of the bytes, for `ETag`. */
  hash: string
  /** Number of entries of the whole list; null if the plan does not count. */
  total: number | null
  /** Set if the plan requests it. */
  shown?: ShownDocuments
  /** Whether the total was computed from an earlier one and the writes reported since then. */
  isCarried?: true
}>

/** The documents that a response shows, in any locale. */
export type ShownDocuments = Readonly<{
  /** At any depth of populate; undefined if there are more than `shownUpTo` of the plan. */
  documentIds: readonly string[] | undefined
  /** Collections of missing targets, which may be created or published later. */
  awaited: readonly string[]
}>

export type ReadOptions = Readonly<{
  /** Aborted when no client waits for the response any more. */
  signal?: AbortSignal | undefined
  /** The stored bytes of a document that was just written, so it is not read again. */
  written?: Uint8Array | undefined
  /** Default: the service itself. Its reads are never rejected, because they complete the response to a write. */
  client?: ReadClient | undefined
  timeline?: Timeline | undefined
}>

/** The client of a read, for admission control. */
export type ReadClient = Readonly<{
  /** IP address; for IPv6, its network. */
  address: string
  /** Bytes of memory that the request takes while it waits. */
  bytes: number
  /** Default: the whole time limit of a read. */
  budget?: Budget | undefined
}>
