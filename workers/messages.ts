import type { MessagePort } from 'node:worker_threads'
import type { ErrorMessage } from '../engine/errors.js'
import type { ReadAnswer } from '../engine/read/execute/executor.js'
import type { ReadPlan } from '../engine/read/plan/read-plan.js'
import type { Timeline } from '../engine/timeline.js'

/**
 * A read for a worker. All messages between the main thread and a worker are plain data, or bytes that are transferred.
 */
export type ReadTask = Readonly<{
  plan: ReadPlan
  /** The list's total, if it is already known. */
  total?: number | undefined
  /** Remaining time of the read, in milliseconds. */
  leftMs: number
  /** Whether the reply includes a timeline. */
  isTimed: boolean
  /** Port whose other end is closed when nobody waits for the result any more. */
  waiting: MessagePort
}>

export type ReadReply = Readonly<{ timeline?: Timeline | undefined }> &
  (
    | Readonly<{ kind: 'answer' } & ReadAnswer>
    /** One document was requested and does not exist. */
    | Readonly<{ kind: 'none' }>
    /** An error as plain data, because structured clone would drop its code and details. */
    | Readonly<{ kind: 'error'; error: ErrorMessage }>
  )

/** Data that a worker starts with. */
export type WorkerSetup = Readonly<{ uri: string }>
