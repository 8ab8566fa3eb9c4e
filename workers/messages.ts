import type { MessagePort } from 'node:worker_threads'
import type { ErrorMessage } from '../engine/errors.js'
import type { ReadAnswer } from '../engine/read/run/executor.js'
import type { ReadPlan } from '../engine/read/plan/read-plan.js'
import type { Timeline } from '../engine/timeline.js'

/** The whole wire between the main thread and a worker: plain data, and bytes that are moved. */
export type ReadTask = Readonly<{
  plan: ReadPlan
  /** The list's total, where it is known already. */
  total?: number | undefined
  /** What is left of the read's time, in milliseconds. */
  leftMs: number
  /** Whether the reply is to say what took how long. */
  isTimed: boolean
  /** Its other end is closed when nobody waits for the answer any more. */
  waiting: MessagePort
}>

export type ReadReply = Readonly<{ timeline?: Timeline | undefined }> &
  (
    | Readonly<{ kind: 'answer' } & ReadAnswer>
    /** One document was asked for and there is none. */
    | Readonly<{ kind: 'none' }>
    /** Structured clone would strip an error of its code and details. */
    | Readonly<{ kind: 'error'; error: ErrorMessage }>
  )

/** What a worker is started with. */
export type WorkerSetup = Readonly<{ uri: string }>
