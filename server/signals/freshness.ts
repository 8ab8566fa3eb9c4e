import { setTimeout as sleep } from 'node:timers/promises'
import { fail } from '../../engine/errors.js'
import { databaseError } from '../../engine/errors/database-errors.js'
import type { Freshness } from './signals.js'

/** What was confirmed is used so long, in ms. */
const freshMs = 250

/** What was confirmed so long ago is confirmed again while it is used, so that under load nobody waits for it, in ms. */
const renewMs = 125

/** A server that is silent for so long is not waited for: another may have taken its place, so that it is asked too. */
const silentMs = 250

/** Questions that are open at a time: as many as are asked within a heartbeat of a replica set (2 s). */
const maxOpen = 8

/** Credentials that were used so long ago are in use, in ms. */
const useMs = 2_000

/** Between two tries, in ms. */
const pauseMs = 50

type Options = Readonly<{
  /** Resolves when everything that any process had acknowledged before the call counts here. */
  prove: () => Promise<void>
  /** How long a request waits for that, in ms. */
  patienceMs: number
  now?: () => number
}>

/**
 * Knows since when what is kept is known to be right. However many requests wait, the database is asked once at a time,
 * and once more for each 250 ms of silence. An answer counts from the moment of its question, so one that takes longer
 * than 250 ms serves those who waited for it; and where answers take longer, as after an election while the members
 * hear of each other by heartbeats alone, questions go on as long as there are requests, so that who comes behind an
 * answer finds one that is young.
 */
export function createFreshness({
  prove,
  patienceMs,
  now = () => performance.now(),
}: Options): Freshness & Readonly<{ ageMs: () => number }> {
  let provenAt = -Infinity
  let usedAt = -Infinity
  let open = 0
  let proving: Readonly<{ askedAt: number; done: Promise<void> }> | undefined
  const goOn = () => {
    if (now() - usedAt < useMs) renew().catch(() => undefined)
  }
  const run = async (askedAt: number) => {
    open += 1
    const timer = setTimeout(goOn, silentMs)
    timer.unref()
    try {
      await prove()
      provenAt = Math.max(provenAt, askedAt)
    } finally {
      clearTimeout(timer)
      open -= 1
      if (proving?.askedAt === askedAt) proving = undefined
    }
  }
  const renew = () => {
    const askedAt = now()
    const isSilent = proving !== undefined && askedAt - proving.askedAt >= silentMs
    if (proving === undefined || (isSilent && open < maxOpen))
      proving = { askedAt, done: run(askedAt) }
    return proving.done
  }
  const waitFor = async (askedAt: number) => {
    while (provenAt < askedAt) {
      try {
        await Promise.race([renew(), sleep(silentMs, undefined, { ref: false })])
      } catch (error) {
        if (databaseError(error) === undefined) throw error
        await sleep(pauseMs)
      }
      if (provenAt < askedAt && now() - askedAt >= patienceMs) throw unconfirmed()
    }
  }
  return {
    /** How long ago it was confirmed. */
    ageMs: () => now() - provenAt,
    confirm: () => {
      const at = now()
      usedAt = at
      if (at - provenAt >= freshMs) return waitFor(at)
      // Where it fails, whoever comes when it is too old is told.
      if (at - provenAt >= renewMs) renew().catch(() => undefined)
      return undefined
    },
  }
}

const unconfirmed = () =>
  fail(
    'unavailable',
    'The database does not say whether these credentials still hold',
    {},
    { 'Retry-After': '1' },
  )
