import { setTimeout as sleep } from 'node:timers/promises'
import { versionsOf } from '../../engine/database/collection-versions.js'
import { monotonicNow } from '../../engine/monotonic-now.js'
import type { Registry } from '../../engine/schema/registry.js'
import { everyAnswer } from '../http/response/cache-keys.js'
import type { Services } from '../services.js'
import type { Settings } from '../settings/settings.js'
import { createRepeats } from './repeats.js'
import { purgeTarget, sendPurge } from './send-purge.js'
import { createWaitingKeys } from './waiting-keys.js'
import type { Db } from 'mongodb'
import { createId } from '../../engine/values/create-id.js'

const _id = 'purge-owed'

/**
 * Collection that contains the record of a pending purge. Each write of the record sets a new id in `noted`, so that a
 * finished purge does not remove a newer record.
 */
const notes = (db: Db) => db.collection<{ _id: string; noted: string }>('_settings')

/** Records that caches still contain outdated responses, so that the next start purges all responses. */
async function recordOwedPurge(db: Db): Promise<void> {
  await notes(db).updateOne({ _id }, { $set: { noted: createId() } }, { upsert: true })
}

async function findOwedPurge(db: Db): Promise<string | undefined> {
  return (await notes(db).findOne({ _id }))?.noted
}

/** Removes the record unless it was renewed during the purge. */
async function removeOwedPurge(db: Db, noted: string): Promise<void> {
  await notes(db).deleteOne({ _id, noted })
}

/** Keys per purge request. Cloudflare accepts 100, Fastly 256. */
const maxKeys = 100
/** How long keys of changed content are collected before a purge. */
const gatherMs = 100
/** Pause after a failed purge, doubled with each further failure. */
const retryDelayMs = 1000
const maxRetryDelayMs = 60_000
const lastMs = 5000

/**
 * After each write of this process, tells caches to purge responses with the keys of the changed content
 * (docs/caching.md). Returns undefined if no cache is configured.
 */
export function openPurging({ settings, db, log }: Pick<Services, 'settings' | 'db' | 'log'>) {
  const target = purgeTarget(settings)
  if (target === undefined) return undefined
  const stopping = new AbortController()
  const waiting = createWaitingKeys()
  const repeats = createRepeats(settings['http.cache.purgeAgainMs'])
  let registry: (() => Registry) | undefined
  /** Keys that were taken from `waiting` and are not sent yet. */
  let unsentKeys: readonly string[] = []
  let since: number | undefined
  /** `noted` id that a previous process recorded when it stopped before it had sent all keys. */
  let owed: string | undefined
  const requests = { sent: 0, failed: 0 }
  let failures = 0
  let leastMs = 0
  let timer: NodeJS.Timeout | undefined
  let dueAt = Infinity
  let running: Promise<void> | undefined

  const sendAll = async () => {
    while (unsentKeys.length > 0) {
      const keys = unsentKeys.slice(0, maxKeys)
      const outcome = await sendPurge(target, keys, stopping.signal)
      if (outcome !== 'done') {
        requests.failed += 1
        failures += 1
        leastMs = outcome.afterS * 1000
        if (failures === 1)
          log.warn(
            { event: 'purge-failed', reason: outcome.reason },
            'Caches could not be purged. Trying again until it succeeds',
          )
        return
      }
      requests.sent += 1
      if (failures > 0) log.info({ event: 'purge-done', failures }, 'Caches were purged')
      failures = 0
      repeats.sent(keys)
      unsentKeys = unsentKeys.slice(keys.length)
      if (owed !== undefined && keys.includes(everyAnswer)) {
        // If the removal fails, the next start purges all responses again.
        await removeOwedPurge(db, owed).catch(() => undefined)
        owed = undefined
      }
    }
    if (waiting.size() === 0) since = undefined
  }
  const pass = async () => {
    if (unsentKeys.length === 0 && registry !== undefined) {
      const changed = new Set(waiting.take(registry()))
      unsentKeys = [...changed, ...repeats.takeDue(changed)]
    }
    await sendAll()
  }
  const wakeIn = (ms: number) => {
    const at = monotonicNow() + ms
    if (running !== undefined || registry === undefined || at >= dueAt) return
    clearTimeout(timer)
    dueAt = at
    timer = setTimeout(() => {
      dueAt = Infinity
      running = pass().finally(() => {
        running = undefined
        if (!stopping.signal.aborted) wakeAgain()
      })
    }, ms).unref()
  }
  const wakeAgain = () => {
    if (unsentKeys.length > 0)
      wakeIn(Math.max(leastMs, Math.min(maxRetryDelayMs, retryDelayMs * 2 ** (failures - 1))))
    else if (waiting.size() > 0) wakeIn(gatherMs)
    else wakeIn(repeats.dueInMs())
  }
  const noted = () => {
    if (waiting.size() === 0) return
    since ??= monotonicNow()
    if (unsentKeys.length === 0) wakeIn(gatherMs)
  }
  const everything = () => {
    waiting.everything()
    noted()
  }
  versionsOf(db.client).followWrites((written) => {
    waiting.wrote(written)
    noted()
  })
  return {
    /**
     * Starts to send keys. `live` returns the current definitions. Purges all responses if a previous process left a
     * record.
     */
    start: async (live: () => Registry): Promise<void> => {
      owed = await findOwedPurge(db)
      if (owed !== undefined) everything()
      registry = live
      wakeAgain()
    },
    everything,
    /** Sends keys for at most five seconds. If some remain, records that the next start must purge all responses. */
    stop: async (): Promise<void> => {
      clearTimeout(timer)
      const isOver = setTimeout(() => stopping.abort(), lastMs)
      dueAt = -Infinity
      await running
      await sendAll()
      repeats.hasten()
      if (unsentKeys.length === 0) await pass()
      clearTimeout(isOver)
      const left = unsentKeys.length + waiting.size()
      if (left === 0) return
      const isNoted = await recordOwedPurge(db).then(
        () => true,
        () => false,
      )
      const then = isNoted
        ? 'the next start purges everything'
        : 'they can show old content until it expires'
      log.error(
        { event: 'purge-lost', keys: left, noted: isNoted },
        `Caches were not purged of all changes; ${then}`,
      )
    },
    figures: () => ({
      ...requests,
      waiting: unsentKeys.length + waiting.size(),
      waitedMs: since === undefined ? 0 : monotonicNow() - since,
    }),
  }
}

/**
 * Purges all responses after another program has written. Makes three attempts.
 * @returns whether the purge succeeded; undefined if no cache is configured
 */
export async function purgeEverything(settings: Settings): Promise<boolean | undefined> {
  const target = purgeTarget(settings)
  if (target === undefined) return undefined
  const { signal } = new AbortController()
  for (const pauseMs of [1000, 1000, 0]) {
    if ((await sendPurge(target, [everyAnswer], signal)) === 'done') return true
    await sleep(pauseMs)
  }
  return false
}
