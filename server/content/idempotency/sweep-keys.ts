import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import { forgetKeys, prepareKeys } from './key-records.js'

const everyMs = 60 * 60_000

/** Deletes old keys now and every hour. Returns a function that stops the hourly deletion. */
export async function sweepKeys(db: Db, log: Logger): Promise<() => void> {
  const sweep = (): void => {
    forgetKeys(db).catch((err: unknown) =>
      log.warn({ err }, 'Expired idempotency keys could not be deleted'),
    )
  }
  await prepareKeys(db)
  sweep()
  const timer = setInterval(sweep, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
