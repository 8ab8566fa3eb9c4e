import { MongoOperationTimeoutError, type Db } from 'mongodb'
import type { Logger } from 'pino'
import { topologyOf } from '../../engine/database/durability.js'
import { createFreshness } from './freshness.js'
import { listen } from './listen.js'
import type { Change, Signals } from './signals.js'

export type OpenSignals = Signals & Readonly<{ stop: () => Promise<void> }>

type Options = Readonly<{
  db: Db
  log: Logger
  /** `_id` of this process in `_instances`. */
  instance: string
  /** How long a request waits for a confirmation, in milliseconds. */
  waitTimeoutMs: number
  /**
   * Called with the name of a written collection of content, or without an argument if any may have been written. If
   * absent, such collections are not watched.
   */
  written?: ((collection?: string) => void) | undefined
}>

type Follower = Readonly<{
  collection: string
  keeps: 'credentials' | 'others'
  changed: (change: Change) => void
}>

const collections = [
  'roles',
  '_api_tokens',
  'users',
  'admin_users',
  '_sessions',
  'locales',
  '_settings',
  '_schemas',
]

/** Timeout of a query to the primary, in milliseconds. */
const questionMs = 4_000

/**
 * Notifies followers of writes by any process, through the change stream of a replica set. Without a change stream,
 * requests read credentials again if the cached ones are older than 250 ms.
 */
export async function openSignals({
  db,
  log,
  instance,
  waitTimeoutMs,
  written,
}: Options): Promise<OpenSignals> {
  const followers: Follower[] = []
  const topology = await topologyOf(db)
  const logFailure = failureLogger(log)
  const everything = (keeps?: Follower['keeps']) => {
    for (const follower of followers)
      if (keeps === undefined || follower.keeps === keeps) follower.changed({})
  }
  const listener =
    topology === 'replica-set'
      ? listen({
          db,
          collections,
          instance,
          written,
          failed: logFailure.failed,
          opened: () => {
            written?.()
            everything()
            logFailure.opened()
          },
          changed: (collection, change) => {
            for (const follower of followers)
              if (follower.collection === collection) follower.changed(change)
          },
        })
      : undefined
  const poll = pollPrimary(db, instance, topology === 'standalone')
  let pulseMs: number | undefined
  let lastSeenAt = -Infinity
  const pulse = async (): Promise<boolean> => {
    const began = performance.now()
    if (listener?.isOpen() !== true || !(await listener.pulse())) return false
    pulseMs = performance.now() - began
    lastSeenAt = began
    return true
  }
  const { confirm, ageMs } = createFreshness({
    waitTimeoutMs,
    prove: async () => {
      if (await pulse()) return
      await poll()
      everything('credentials')
    },
  })
  return {
    confirm,
    follow: (collection, keeps, changed) => void followers.push({ collection, keeps, changed }),
    figures: () => ({
      isListening: listener?.isOpen() === true,
      pulseMs,
      confirmedAgoMs: ageMs(),
      lastHeartbeatAgoMs: performance.now() - lastSeenAt,
    }),
    stop: async () => listener?.stop(),
  }
}

/**
 * Returns a query that resolves only if the primary has all acknowledged writes. A primary that is cut off from the
 * majority cannot reply, even while it still considers itself the primary.
 */
function pollPrimary(db: Db, instance: string, isAlone: boolean): () => Promise<unknown> {
  const instances = db.collection<{ _id: string }>('_instances')
  const level = isAlone ? 'local' : 'linearizable'
  return async () => {
    // A frozen server does not enforce `maxTimeMS`, so the client needs a timeout too.
    const signal = AbortSignal.timeout(questionMs)
    try {
      await instances.findOne(
        { _id: instance },
        { projection: { _id: 1 }, maxTimeMS: questionMs, readConcern: { level }, signal },
      )
    } catch (error) {
      throw signal.aborted ? new MongoOperationTimeoutError('There was no response') : error
    }
  }
}

/** Returns functions that log the loss and the reopening of the stream, each once. */
function failureLogger(log: Logger) {
  let isLost = false
  return {
    failed: (err: unknown): void => {
      if (!isLost)
        log.warn(
          { event: 'no-change-stream', err },
          'The database has no change stream. This instance polls for changes of others instead',
        )
      isLost = true
    },
    opened: (): void => {
      if (isLost) log.info('The change stream of the database is open again')
      isLost = false
    },
  }
}
