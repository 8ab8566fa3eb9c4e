import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import { removeReferencesTo } from '../../engine/repair.js'
import type { Registry } from '../../engine/schema/registry.js'
import type { ProcessJournal } from './process-journal.js'

type Parts = Readonly<{
  db: Db
  log: Logger
  registry: () => Registry
  /** Journal of this process's deletes. */
  writes: ProcessJournal
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
    for (let entries = writes.deleted(); entries.length > 0; entries = writes.deleted()) {
      await removeReferencesTo({ db, registry: registry(), signal }, entries)
      writes.unreferred(entries)
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
