import { setTimeout as sleep } from 'node:timers/promises'
import { fail } from '../../engine/errors.js'
import { databaseError } from '../../engine/errors/database-errors.js'
import type { Freshness } from './signals.js'

/** What was confirmed is used so long, in ms. */
export const freshMs = 250

/** What was confirmed so long ago is confirmed again while it is used, so that under load nobody waits for it, in ms. */
const renewMs = 125

/** A server that is silent for so long is not waited for: another may have taken its place, so that it is asked too. */
const silentMs = 250

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
 * Knows since when what is kept is known to be right. However many requests wait, the database is asked once at a time, and once more for each 250 ms of silence.
 * An answer counts from the moment of its question, so one that takes longer than 250 ms serves those who waited for it.
 */
export function createFreshness({
  prove,
  patienceMs,
  now = () => performance.now(),
}: Options): Freshness & Readonly<{ ageMs: () => number }> {
  let provenAt = -Infinity
  let proving: Readonly<{ askedAt: number; done: Promise<void> }> | undefined
  const run = async (askedAt: number): Promise<void> => {
    try {
      await prove()
      provenAt = Math.max(provenAt, askedAt)
    } finally {
      if (proving?.askedAt === askedAt) proving = undefined
    }
  }
  const renew = (): Promise<void> => {
    const askedAt = now()
    if (proving === undefined || askedAt - proving.askedAt >= silentMs)
      proving = { askedAt, done: run(askedAt) }
    return proving.done
  }
  const waitFor = async (askedAt: number): Promise<void> => {
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
    { message: 'The database does not say whether these credentials still hold' },
    {},
    { 'Retry-After': '1' },
  )
