import { setTimeout as sleep } from 'node:timers/promises'
import { fail } from '../../engine/errors.js'
import { databaseError } from '../../engine/errors/database-errors.js'
import type { Freshness } from './signals.js'

/** Time in milliseconds for which cached credentials may be used after the database has confirmed them. */
const freshMs = 250

/**
 * Age in milliseconds from which a request that uses a confirmation also starts to renew it. So under load, requests
 * need not wait for a confirmation.
 */
const renewMs = 125

/**
 * If no reply has arrived after this time, in milliseconds, another query is sent. The server that does not reply may
 * have been replaced by another one.
 */
const silentMs = 250

/** Maximum number of concurrent queries: one every 250 ms during a heartbeat interval of a replica set (2 s). */
const maxOpen = 8

/** Credentials count as in use until this many milliseconds after the last request that used them. */
const useMs = 2_000

/** Pause before a failed query is sent again, in milliseconds. */
const pauseMs = 50

type Options = Readonly<{
  /**
   * Resolves when the cached credentials of this process reflect all writes that were acknowledged before the call, by
   * any process.
   */
  prove: () => Promise<void>
  /** How long a request waits for a confirmation, in milliseconds. */
  waitTimeoutMs: number
  now?: () => number
}>

/**
 * Tracks when the database last confirmed that the cached credentials are valid. However many requests wait, the
 * database gets one query at a time, and another one after each 250 ms without a reply.
 *
 * A reply confirms the state at the moment when its query was sent. A reply after more than 250 ms is therefore of use
 * only to requests that were already waiting. Replies take that long after an election, for example, because the
 * members of a replica set notice each other only by heartbeats. In that case, queries continue while there are
 * requests, so that later requests find a recent confirmation.
 */
export function createFreshness({
  prove,
  waitTimeoutMs,
  now = () => performance.now(),
}: Options): Freshness & Readonly<{ ageMs: () => number }> {
  let provenAt = -Infinity
  let usedAt = -Infinity
  let open = 0
  let proving: Readonly<{ startedAt: number; done: Promise<void> }> | undefined
  const goOn = () => {
    if (now() - usedAt < useMs) renew().catch(() => undefined)
  }
  const run = async (startedAt: number) => {
    open += 1
    const timer = setTimeout(goOn, silentMs)
    timer.unref()
    try {
      await prove()
      provenAt = Math.max(provenAt, startedAt)
    } finally {
      clearTimeout(timer)
      open -= 1
      if (proving?.startedAt === startedAt) proving = undefined
    }
  }
  const renew = () => {
    const startedAt = now()
    const isSilent = proving !== undefined && startedAt - proving.startedAt >= silentMs
    if (proving === undefined || (isSilent && open < maxOpen))
      proving = { startedAt, done: run(startedAt) }
    return proving.done
  }
  const waitFor = async (startedAt: number) => {
    while (provenAt < startedAt) {
      try {
        await Promise.race([renew(), sleep(silentMs, undefined, { ref: false })])
      } catch (error) {
        if (databaseError(error) === undefined) throw error
        await sleep(pauseMs)
      }
      if (provenAt < startedAt && now() - startedAt >= waitTimeoutMs) throw unconfirmed()
    }
  }
  return {
    /** Returns the milliseconds since the last confirmation. */
    ageMs: () => now() - provenAt,
    confirm: () => {
      const at = now()
      usedAt = at
      if (at - provenAt >= freshMs) return waitFor(at)
      // Ignore a failure: this confirmation is still valid, and later requests wait for a new one.
      if (at - provenAt >= renewMs) renew().catch(() => undefined)
      return undefined
    },
  }
}

const unconfirmed = () =>
  fail(
    'unavailable',
    'The database could not confirm that these credentials are still valid',
    {},
    { 'Retry-After': '1' },
  )
