import { Piscina } from 'piscina'
import type { ReadReply, ReadTask, WorkerSetup } from './messages.js'

export type PoolOptions = Readonly<{
  /** With the name of the database. */
  uri: string
  /** `pool.threads` and `pool.queueLimit`. */
  threads: number
  queueLimit: number
}>

/** Threads are started when the first task comes and stop a minute after the last. */
export function createPool({
  uri,
  threads,
  queueLimit,
}: PoolOptions): Piscina<ReadTask, ReadReply> {
  const setup: WorkerSetup = { uri }
  return new Piscina<ReadTask, ReadReply>({
    filename: new URL('./read-worker.js', import.meta.url).href,
    minThreads: 0,
    maxThreads: threads,
    maxQueue: queueLimit,
    idleTimeout: 60_000,
    // Several plans wait for the database at a time in one thread.
    concurrentTasksPerWorker: 2,
    // Rows live as long as their answer: a larger young generation lets them die there.
    resourceLimits: { maxYoungGenerationSizeMb: 64 },
    // The default blocks an idle worker in Atomics.wait, which freezes the sockets of its client.
    atomics: 'disabled',
    workerData: setup,
  })
}
