import type { MessagePort } from 'node:worker_threads'
import type { ErrorMessage } from '../engine/errors.js'
import type { ReadAnswer } from '../engine/read/execute/executor.js'
import type { ReadPlan } from '../engine/read/plan/read-plan.js'
import type { Timeline } from '../engine/timeline.js'

/**
 * A read that is sent to a worker thread. Messages between the main thread and workers consist of plain data, and of
 * bytes that are transferred instead of copied.
 */
export type ReadTask = Readonly<{
  plan: ReadPlan
  /** The total number of entries in the list, if it is already known. */
  total?: number | undefined
  /** Remaining time of the read, in milliseconds. */
  leftMs: number
  /** Whether the reply must contain a timeline. */
  isTimed: boolean
  /** Port that is closed when the result is no longer needed. The worker then stops the read. */
  waiting: MessagePort
}>

export type ReadReply = Readonly<{ timeline?: Timeline | undefined }> &
  (
    | Readonly<{ kind: 'answer' } & ReadAnswer>
    /** The requested document does not exist. */
    | Readonly<{ kind: 'none' }>
    /** An error as plain data. Structured clone would drop its code and details. */
    | Readonly<{ kind: 'error'; error: ErrorMessage }>
  )

/** Data that a worker thread receives when it starts. */
export type WorkerSetup = Readonly<{ uri: string }>
