import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import { prepareCollections } from '../../engine/database/prepare-collections.js'
import type { Registry } from '../../engine/schema/registry.js'
import { readVersion } from './definition-store.js'
import { servesOlder } from './other-instances.js'

export type DropOptions = Readonly<{
  db: Db
  log: Logger
  registry: Registry
  /** Runs a task while nobody else reads or changes the schema. */
  inTurn: (task: () => Promise<void>) => Promise<void>
}>

const everyMs = 1_000

/**
 * Drops what former definitions wanted of indexes when no instance serves those any more: until then they answer
 * requests by them, and keep unique what has to be unique when somebody goes back. Ends by itself, also where the
 * definitions have changed again: then that is the task of whoever changed them.
 * @returns ends it before
 */
export function dropIndexesLater({ db, log, registry, inTurn }: DropOptions): () => Promise<void> {
  let working: Promise<void> | undefined
  const isNewest = async (): Promise<boolean> => (await readVersion(db)) === registry.version
  const work = async (): Promise<void> => {
    try {
      if ((await isNewest()) && (await servesOlder(db, registry.version))) return
      clearInterval(timer)
      await inTurn(async () => {
        if (await isNewest()) await prepareCollections(db, registry)
      })
    } catch (err) {
      log.warn({ err }, 'Indexes that nobody needs any more could not be dropped')
    }
  }
  const timer = setInterval(() => {
    working ??= work().finally(() => (working = undefined))
  }, everyMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await working
  }
}
