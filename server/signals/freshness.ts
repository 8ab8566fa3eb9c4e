import { setTimeout as sleep } from 'node:timers/promises'
import { fail } from '../../engine/errors.js'
import { databaseError } from '../../engine/errors/database-errors.js'
import type { Freshness } from './signals.js'

/** How long cached credentials may be used after the database has confirmed them. */
const freshMs = 250

/**
 * If a confirmation is at least this old, a request that uses it also starts a new query. So under load, requests need
 * not wait.
 */
const renewMs = 125

/** Time without a reply after which another query is sent, because the server may have been replaced. */
const silentMs = 250

/** Maximum number of open queries: one every 250 ms during a replica set's heartbeat interval (2 s). */
const maxOpen = 8

/** How long after a request its credentials count as in use. */
const useMs = 2_000

/** Pause before a failed query is repeated. */
const pauseMs = 50

type Options = Readonly<{
  /**
   * Resolves when this process's cached credentials reflect all writes that any process acknowledged before the call.
   */
  prove: () => Promise<void>
  /** How long a request waits for a confirmation, in milliseconds. */
  waitTimeoutMs: number
  now?: () => number
}>

/**
 * Tracks when the database last confirmed the cached credentials. Sends one query at a time, and another after each 250
 * ms without a reply. A reply confirms only that the credentials were current when its query was sent. So a late reply,
 * such as after an election, only releases requests that came before that query. Later requests wait for the next
 * query.
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
    ageMs: () => now() - provenAt,
    confirm: () => {
      const at = now()
      usedAt = at
      if (at - provenAt >= freshMs) return waitFor(at)
      // The current confirmation is still valid. If this renewal fails, later requests query again.
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
