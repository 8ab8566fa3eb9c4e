import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import { removeReferencesTo } from '../../engine/repair.js'
import type { Registry } from '../../engine/schema/registry.js'
import type { UnderwayWrites } from './underway-writes.js'

type Parts = Readonly<{
  db: Db
  log: Logger
  registry: () => Registry
  /** Journal of this process's deletes. */
  writes: UnderwayWrites
  signal: AbortSignal
}>

/** Pause after a failure of the database. */
const pauseMs = 2_000

/**
 * Removes the references to what this process has deleted, after the responses to the deletes (docs/storage.md,
 * "Relations"). What is left at its end is found by the journal, as after a kill.
 * @returns a function that resolves when it has ended, after `signal`
 */
export function finishDeletes({ log, writes, signal, ...parts }: Parts): () => Promise<void> {
  let running: Promise<void> | undefined
  let retry: NodeJS.Timeout | undefined
  const finish = async (): Promise<void> => {
    const { db, registry } = parts
    for (let noted = writes.deleted(); noted.length > 0; noted = writes.deleted()) {
      await removeReferencesTo({ db, registry: registry(), signal }, noted)
      writes.unreferred(noted)
    }
  }
  const run = (): void => {
    if (signal.aborted) return
    running ??= finish()
      .catch((err: unknown) => {
        if (signal.aborted) return
        log.warn({ err }, 'References to what was deleted are taken out later')
        retry = setTimeout(run, pauseMs).unref()
      })
      .finally(() => (running = undefined))
  }
  writes.onDeleted(run)
  return async () => {
    clearTimeout(retry)
    await running
  }
}
