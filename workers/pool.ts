import { MessageChannel } from 'node:worker_threads'
import { Piscina } from 'piscina'
import type { CommandObserver } from '../engine/database/sent-commands.js'
import type { ReadPlan } from '../engine/read/plan/read-plan.js'
import { inStage } from '../engine/timeline.js'
import type { Admission } from './admission.js'
import { stoppable } from './in-time.js'
import { runInQueue } from './run-in-queue.js'
import type { ReadRunnerOptions } from './read-runner.js'
import type { ReadReply, ReadTask, WorkerSetup } from './messages.js'
import type { RunOptions } from './run-read.js'

export type PoolOptions = Readonly<{
  /** URI of the server, with the name of the database. */
  uri: string
  /**
   * `threads` is the setting `pool.threads`. `queueLimit` is `pool.queueLimit`: how many requests may wait for a
   * thread.
   */
  threads: number
  queueLimit: number
  /** Limits that the pool's queue shares with other queues. */
  admission: Admission
  /** Called when an idle thread has died. If a busy thread dies, its task rejects instead. */
  onDeath?: (error: Error) => void
  /** Called for each command of a thread, if the read has a timeline. */
  observe?: CommandObserver | undefined
  worker?: URL
}>

export type Pool = Readonly<{
  /**
   * Throws a 503 with `Retry-After` if the plan may not wait for a thread, and the signal's reason if the signal
   * aborts. If the thread dies, throws an error that is not an `ApiError`.
   */
  run: (plan: ReadPlan, options: ReadRunnerOptions) => Promise<ReadReply>
  destroy: () => Promise<void>
  figures: () => PoolFigures
}>

type PoolFigures = Readonly<{
  threads: number
  /** Threads that have died while they were idle. */
  deaths: number
}>

/** Milliseconds for a thread to stop a read by itself before it is terminated. */
const graceMs = 2000

/** Creates worker threads for expensive reads. They start when needed, and stop after a minute without tasks. */
export function createPool(options: PoolOptions): Pool {
  // A thread runs one plan at a time, so if it dies, other plans are not affected.
  const { threads, queueLimit, observe, admission } = options
  const piscina = startPiscina(options)
  const queue = admission.queue({
    name: 'pool',
    slots: threads,
    maxWaiting: { limit: queueLimit, what: 'heavy queries', setting: 'pool.queueLimit' },
    isStarting: startingThreads(piscina),
  })
  let deaths = 0
  piscina.on('error', (error: Error) => {
    deaths += 1
    options.onDeath?.(error)
  })
  return {
    run: (plan, { request, ...options }) =>
      stoppable(options.budget, options.signal, (signal) =>
        runInQueue(queue, { ...request, signal }, async (outlasts) => {
          signal.throwIfAborted()
          const reply = await inStage(options.timeline, 'thread', () =>
            runInThread(piscina, plan, { ...options, signal }, outlasts),
          )
          if (observe !== undefined) reply.timeline?.commands.forEach(observe)
          return reply
        }),
      ),
    destroy: () => piscina.destroy(),
    figures: () => ({ threads: piscina.threads.length, deaths }),
  }
}

function startPiscina({ uri, threads, worker }: PoolOptions): Piscina<ReadTask, ReadReply> {
  const setup: WorkerSetup = { uri }
  return new Piscina<ReadTask, ReadReply>({
    filename: (worker ?? new URL('./read-worker.js', import.meta.url)).href,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: 60_000,
    // Documents and responses are stored outside of V8's heap. Other objects, such as filter keys and lookup maps, are
    // short-lived: a larger young generation lets V8 free them cheaply.
    resourceLimits: { maxYoungGenerationSizeMb: 64, maxOldGenerationSizeMb: 256 },
    // By default, Piscina blocks an idle worker in `Atomics.wait`, which would freeze its database connections.
    atomics: 'disabled',
    workerData: setup,
  })
}

/** Tells whether a thread is still starting, which takes seconds on a busy machine. */
function startingThreads(piscina: Piscina<ReadTask, ReadReply>): () => boolean {
  const ready = new Set<unknown>()
  piscina.on('workerCreate', (thread: object) => void ready.add(thread))
  piscina.on('workerDestroy', (thread: object) => void ready.delete(thread))
  return () => piscina.threads.length > ready.size
}

/**
 * Runs a plan in a thread. Rejects as soon as the signal aborts. `outlasts` receives a promise that settles when the
 * thread has ended the task. Piscina can only stop a task by terminating its thread, so that is the last resort.
 */
function runInThread(
  piscina: Piscina<ReadTask, ReadReply>,
  plan: ReadPlan,
  { budget, signal, total, timeline }: RunOptions & Readonly<{ signal: AbortSignal }>,
  outlasts: (running: Promise<unknown>) => void,
): Promise<ReadReply> {
  const { port1: stopPort, port2: waiting } = new MessageChannel()
  const end = new AbortController()
  const leftMs = budget.left()
  const task: ReadTask = { plan, total, leftMs, isTimed: timeline !== undefined, waiting }
  const reply = piscina.run(task, { transferList: [waiting], signal: end.signal })
  let onStop = (): void => undefined
  let grace: NodeJS.Timeout | undefined
  const stopped = new Promise<never>((_resolve, reject) => {
    onStop = () => {
      stopPort.close()
      grace = setTimeout(() => end.abort(), graceMs)
      reject(signal.reason as Error)
    }
    signal.addEventListener('abort', onStop, { once: true })
  })
  const ended = reply.finally(() => {
    signal.removeEventListener('abort', onStop)
    clearTimeout(grace)
    stopPort.close()
  })
  outlasts(ended)
  return Promise.race([ended, stopped])
}
