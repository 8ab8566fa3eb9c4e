import { MessageChannel } from 'node:worker_threads'
import { Piscina } from 'piscina'
import type { CommandObserver } from '../engine/database/sent-commands.js'
import type { ReadPlan } from '../engine/read/plan/read-plan.js'
import { inStage } from '../engine/timeline.js'
import type { Admission } from './admission.js'
import { createAdmission } from './admission.js'
import { stoppable } from './in-time.js'
import { enter } from './in-line.js'
import type { LaneOptions } from './lane.js'
import type { ReadReply, ReadTask, WorkerSetup } from './messages.js'
import type { RunOptions } from './run-read.js'

export type PoolOptions = Readonly<{
  /** With the name of the database. */
  uri: string
  /** `pool.threads`, and `pool.queueLimit`: of what may wait in all, how many may wait for a thread. */
  threads: number
  queueLimit: number
  /** The bounds of what waits in all; default: there are no others. */
  admission?: Admission
  /** Told of a thread that died while it had nothing to do; whoever waits for a task is told otherwise. */
  onDeath?: (error: Error) => void
  /** Told of each command that a thread sent for a read whose time is taken. */
  observe?: CommandObserver | undefined
  /** What the threads run; default `read-worker.js`. */
  worker?: URL
}>

export type Pool = Readonly<{
  /**
   * Throws 503 with `Retry-After` when it may not wait for a thread, the signal's reason when it is
   * aborted, and an error that is no `ApiError` when the thread dies.
   */
  run: (plan: ReadPlan, options: LaneOptions) => Promise<ReadReply>
  destroy: () => Promise<void>
  figures: () => PoolFigures
}>

type PoolFigures = Readonly<{
  /** That run now. */
  threads: number
  /** Of threads that had nothing to do. */
  deaths: number
}>

/** How long a thread that is told to stop may take; one that does not listen is ended. */
const graceMs = 2000

/** Threads are started when the first task comes and stop a minute after the last. */
export function createPool(options: PoolOptions): Pool {
  // One plan to a thread: where the thread dies, no other dies with it.
  const { threads, queueLimit, observe, admission = createAdmission(unbounded) } = options
  const piscina = startPiscina(options)
  const line = admission.line({
    name: 'pool',
    places: threads,
    maxWaiting: { limit: queueLimit, what: 'heavy queries', setting: 'pool.queueLimit' },
    isStarting: startingThreads(piscina),
  })
  let deaths = 0
  piscina.on('error', (error: Error) => {
    deaths += 1
    options.onDeath?.(error)
  })
  return {
    run: (plan, options) =>
      stoppable(options.budget, options.signal, async (signal) => {
        const leave = await enter(line, { ...options.asked, signal })
        const reply = await inStage(options.timeline, 'thread', () =>
          runInThread(piscina, plan, { ...options, signal }, leave),
        )
        if (observe !== undefined) reply.timeline?.commands.forEach(observe)
        return reply
      }),
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
    // Rows live as long as their answer: a larger young generation lets them die there.
    // What is read and written is outside of the heap; keys of filters and what finds entries are in it.
    resourceLimits: { maxYoungGenerationSizeMb: 64, maxOldGenerationSizeMb: 256 },
    // The default blocks an idle worker in Atomics.wait, which freezes the sockets of its client.
    atomics: 'disabled',
    workerData: setup,
  })
}

/** Says whether a thread was asked for that does not run yet, which on a busy machine takes seconds. */
function startingThreads(piscina: Piscina<ReadTask, ReadReply>): () => boolean {
  const ready = new Set<unknown>()
  piscina.on('workerCreate', (thread: object) => void ready.add(thread))
  piscina.on('workerDestroy', (thread: object) => void ready.delete(thread))
  return () => piscina.threads.length > ready.size
}

/**
 * Answers as soon as the signal is aborted; `done` is called when the thread has let go of the plan.
 * Piscina's own way of stopping a task is to end the thread, so that is for a thread that is stuck.
 */
function runInThread(
  piscina: Piscina<ReadTask, ReadReply>,
  plan: ReadPlan,
  { budget, signal, total, timeline }: RunOptions,
  done: () => void,
): Promise<ReadReply> {
  if (signal?.aborted === true) {
    done()
    return Promise.reject(signal.reason as Error)
  }
  const { port1: asking, port2: waiting } = new MessageChannel()
  const end = new AbortController()
  let grace: NodeJS.Timeout | undefined
  return new Promise((resolve, reject) => {
    const onStop = (): void => {
      asking.close()
      grace = setTimeout(() => end.abort(), graceMs)
      reject(signal?.reason as Error)
    }
    signal?.addEventListener('abort', onStop, { once: true })
    const leftMs = budget.left()
    const task: ReadTask = { plan, total, leftMs, isTimed: timeline !== undefined, waiting }
    piscina
      .run(task, { transferList: [waiting], signal: end.signal })
      .then(resolve, reject)
      .finally(() => {
        signal?.removeEventListener('abort', onStop)
        clearTimeout(grace)
        asking.close()
        done()
      })
  })
}

const unbounded = { maxQueued: Infinity, maxQueuedBytes: Infinity }
