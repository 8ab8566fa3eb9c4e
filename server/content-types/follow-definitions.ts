import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import type { ContentType } from '../../engine/schema/content-type.js'
import type { Registry } from '../../engine/schema/registry.js'
import { checkDefinitions } from './check-definitions.js'
import { readDefinitions, readVersion } from './definition-store.js'
import { sourced } from './merge-definitions.js'

/** The registry that is served, which is replaced when another process has changed the definitions. */
export type LiveRegistry = Readonly<{
  registry: () => Registry
  /** The registry that a type is of, which a request in flight keeps: that of the moment or one before. */
  registryOf: (type: ContentType) => Registry
  /** Looks whether there are newer definitions, and serves them from then on. */
  refresh: () => Promise<void>
  /** Has `check` look at the next registries; what it throws keeps the one before. */
  before: (check: (next: Registry) => void) => void
}>

type Options = Readonly<{
  db: Db
  log: Logger
  /** The setting `api.responses.privateAttributes`. */
  hidden?: readonly string[] | undefined
}>

/**
 * Follows the definitions from those of the start on. Whoever changed them has made the database fit them first, so that
 * nothing is written here. Definitions that this program does not understand are told of once, and not served.
 */
export function followDefinitions(first: Registry, { db, log, hidden }: Options): LiveRegistry {
  let current = first
  /** Those before, the latest first. */
  let former: readonly Registry[] = []
  let refused: number | undefined
  const checks: ((next: Registry) => void)[] = []
  const refresh = async (): Promise<void> => {
    // Also in a database that was emptied: what is served then is for a start to decide.
    if ((await readVersion(db)) <= current.version) return
    const stored = await readDefinitions(db)
    if (stored.version <= current.version || stored.version === refused) return
    try {
      const { registry } = checkDefinitions(
        stored.definitions.map(sourced),
        stored.version,
        hidden ?? [],
      )
      const next = Object.freeze({ ...registry, version: stored.version })
      for (const check of checks) check(next)
      former = [current, ...former].slice(0, maxFormer)
      current = next
      log.info({ version: next.version }, 'The definitions of another instance are served')
    } catch (err) {
      refused = stored.version
      log.error(
        { err, event: 'definitions-not-followed' },
        'Another instance has changed the definitions, and this one cannot serve them; it goes on with those before',
      )
    }
  }
  return {
    registry: () => current,
    registryOf: (type) =>
      [current, ...former].find(({ contentTypes }) => contentTypes.get(type.uid) === type) ??
      current,
    refresh,
    before: (check) => void checks.push(check),
  }
}

/** More do not come while a request is under way. */
const maxFormer = 3
