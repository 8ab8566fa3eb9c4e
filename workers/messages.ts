import type { MessagePort } from 'node:worker_threads'
import type { ErrorMessage } from '../engine/errors.js'
import type { ReadAnswer } from '../engine/read/execute/executor.js'
import type { ReadPlan } from '../engine/read/plan/read-plan.js'
import type { Timeline } from '../engine/timeline.js'

/** A read for a worker thread. Messages are plain data, and bytes that are transferred instead of copied. */
export type ReadTask = Readonly<{
  plan: ReadPlan
  total?: number | undefined
  leftMs: number
  isTimed: boolean
  /** Closed when the result is no longer needed, so that the worker stops the read. */
  waiting: MessagePort
}>

export type ReadReply = Readonly<{ timeline?: Timeline | undefined }> &
  (
    | Readonly<{ kind: 'answer' } & ReadAnswer>
    /** The requested document does not exist. */
    | Readonly<{ kind: 'none' }>
    /** Structured clone would drop the error's code and details. */
    | Readonly<{ kind: 'error'; error: ErrorMessage }>
  )

/** Sent to a worker thread when it starts. */
export type WorkerSetup = Readonly<{ uri: string }>
