import { setTimeout as sleep } from 'node:timers/promises'
import { fail } from '../../engine/errors.js'
import { databaseError } from '../../engine/errors/database-errors.js'
import type { Freshness } from './signals.js'

/** How long a confirmation is valid, in milliseconds. */
const freshMs = 250

/**
 * Age of a confirmation in milliseconds from which each use also renews it, so that requests under load need not wait.
 */
const renewMs = 125

/**
 * Time in milliseconds without a reply after which the next query is sent. Another server may have replaced the silent
 * one.
 */
const silentMs = 250

/** Maximum number of concurrent queries: as many as are sent within a heartbeat of a replica set (2 s). */
const maxOpen = 8

/** Time in milliseconds after a use during which credentials count as in use. */
const useMs = 2_000

/** Pause between two attempts, in milliseconds. */
const pauseMs = 50

type Options = Readonly<{
  /** Resolves when this process reflects everything that any process had acknowledged before the call. */
  prove: () => Promise<void>
  /** Wait timeout of a request, in milliseconds. */
  waitTimeoutMs: number
  now?: () => number
}>

/**
 * Tracks since when cached credentials are known to be valid. However many requests wait, the database gets one query
 * at a time, and another query for each 250 ms without a reply. A reply confirms the state at the moment of its query.
 * So a reply that takes longer than 250 ms serves only the requests that waited for it. For example, replies take
 * longer after an election, while the members learn of each other only by heartbeats. Queries then continue as long as
 * there are requests, so that later requests find a recent confirmation.
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
    /** Returns the age of the last confirmation in milliseconds. */
    ageMs: () => now() - provenAt,
    confirm: () => {
      const at = now()
      usedAt = at
      if (at - provenAt >= freshMs) return waitFor(at)
      // Ignore a failure here. It is reported to requests that come after the confirmation has expired.
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
