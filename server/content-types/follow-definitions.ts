import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import type { ContentType } from '../../engine/schema/content-type.js'
import type { SourcedDefinition } from '../../engine/schema/define-all.js'
import { linkTypes } from '../../engine/schema/define-registry.js'
import type { Registry } from '../../engine/schema/registry.js'
import type { WholeTypes } from '../../engine/schema/stored-places.js'
import { withTypes } from '../../engine/schema/whole-types.js'
import { checkDefinitions } from './check-definitions.js'
import { lockedTypes, readDefinitions, readVersion, type Stored } from './definition-store.js'
import { sourced } from './merge-definitions.js'
import { withFormer } from './schema-chain.js'

type Options = Readonly<{
  db: Db
  log: Logger
  /** The setting `api.responses.privateAttributes`. */
  hidden?: readonly string[] | undefined
  /** Told when `known` has risen. */
  risen?: (() => void) | undefined
}>

/**
 * Follows the definitions from those of the start on. Whoever changed them has made the database fit them first, so that
 * nothing is written here. Definitions that this program does not understand are told of once, and not served; what
 * entries hold by them is left whole all the same (docs/storage.md, "Several definitions").
 */
export function followDefinitions(
  first: Registry,
  { db, log, hidden, risen = () => undefined }: Options,
) {
  let current = first
  /** Those before, the latest first. */
  let former: readonly Registry[] = []
  const checks: ((next: Registry) => void)[] = []
  /** The version of the last conversion that this instance refused. */
  let refused = 0
  const writes = countWrites(first.version, risen)
  const refresh = async (): Promise<void> => {
    // Also in a database that was emptied: what is served then is for a start to decide.
    if ((await readVersion(db)) <= writes.newest()) return
    const stored = await readDefinitions(db)
    if (stored.version <= writes.newest()) return
    const locked = lockedTypes(stored)
    const checked = (registry: Registry): Registry => {
      const whole = Object.freeze({ ...registry, whole: wholeOf(registry, stored), locked })
      for (const check of checks) check(whole)
      return whole
    }
    const registryOf = (definitions: readonly SourcedDefinition[]): Registry => {
      const { registry } = checkDefinitions(definitions, stored.version, hidden)
      return checked({ ...registry, version: stored.version })
    }
    former = former.map(checked)
    const before = checked(current)
    try {
      // No entry is converted before all instances have said, by `known`, that they can serve what comes: an instance
      // that served on with its own definitions would answer wrongly.
      if (stored.converting !== undefined) registryOf(stored.converting.definitions)
      const next = registryOf(stored.definitions.map(sourced))
      former = [before, ...former].slice(0, maxFormer)
      current = next
      log.info({ version: next.version }, 'The definitions of another instance are served')
    } catch (err) {
      if (stored.converting !== undefined) {
        if (refused !== stored.version) log.error({ err, event: 'conversion-refused' }, cannotServe)
        refused = stored.version
        return
      }
      current = before
      log.error(
        { err, event: 'definitions-not-followed' },
        'Another instance has changed the definitions, and this one cannot serve them; it goes on with those before',
      )
    }
    writes.raise(stored.version)
  }
  return {
    /** The registry that is served, which is replaced when another process has changed the definitions. */
    registry: () => current,
    /** The registry that a type is of, which a request in flight keeps: that of the moment or one before. */
    registryOf: (type: ContentType): Registry =>
      [current, ...former].find(({ contentTypes }) => contentTypes.get(type.uid) === type) ??
      current,
    /** Looks whether there are newer definitions, and serves them from then on. */
    refresh,
    /** The newest version of `_schemas` that every write which is under way knows of (`Registry.whole`). */
    known: writes.known,
    /** To be called where a write takes its registry; what it returns, where the write ends. */
    begin: writes.begin,
    /** Has `check` look at the next registries; what it throws keeps the one before. */
    before: (check: (next: Registry) => void): void => void checks.push(check),
  }
}

const cannotServe =
  'This instance cannot serve the new definitions, so entries are not converted for them while it runs'

/** More do not come while a request is under way. */
const maxFormer = 3

/** Which versions of the definitions writes know of that are under way. */
function countWrites(version: number, risen: () => void) {
  let newest = version
  let told = version
  const underWay = new Map<number, number>()
  const known = (): number => Math.min(newest, ...underWay.keys())
  const tell = (): void => {
    if (known() <= told) return
    told = known()
    risen()
  }
  return {
    newest: () => newest,
    known,
    raise: (to: number): void => {
      newest = to
      tell()
    },
    begin: () => {
      const begun = newest
      underWay.set(begun, (underWay.get(begun) ?? 0) + 1)
      return () => {
        const left = (underWay.get(begun) ?? 1) - 1
        if (left > 0) underWay.set(begun, left)
        else underWay.delete(begun)
        tell()
      }
    },
  }
}

/** What entries may hold beside what is served. */
export function wholeOf(
  served: Registry,
  { definitions, former }: Pick<Stored, 'definitions' | 'former'>,
): WholeTypes {
  const newest = definitions.map(sourced)
  return {
    stored: withTypes(served, linkTypes(withFormer(former, newest))),
    newest: withTypes(served, linkTypes(newest)),
  }
}
