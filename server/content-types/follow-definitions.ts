import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import type { ContentType } from '../../engine/schema/content-type.js'
import type { SourcedDefinition } from '../../engine/schema/define/define-all.js'
import { linkTypes } from '../../engine/schema/define/define-registry.js'
import type { Registry } from '../../engine/schema/registry.js'
import type { WholeTypes } from '../../engine/schema/stored-places.js'
import { withTypes } from '../../engine/schema/whole-types.js'
import { checkDefinitions } from './check-definitions.js'
import { lockedTypes, readDefinitions, readVersion, type Stored } from './definition-store.js'
import { sourced } from './merge-definitions.js'
import { withPrevious } from './schema-chain.js'

type Options = Readonly<{
  db: Db
  log: Logger
  /** Setting `api.responses.privateAttributes`. */
  hidden?: readonly string[] | undefined
  /** Called when the version that `known` returns has increased. */
  risen?: (() => void) | undefined
}>

/**
 * Follows changes that other processes make to the definitions. Those processes also prepare the database. If this
 * instance cannot use the new definitions, it logs that once and keeps the previous ones. Values of attributes that it
 * does not know are preserved (docs/internals/storage.md, "Several definitions").
 */
export function followDefinitions(
  first: Registry,
  { db, log, hidden, risen = () => undefined }: Options,
) {
  let current = first
  /** Most recent first. */
  let former: readonly Registry[] = []
  const checks: ((next: Registry) => void)[] = []
  /** Version for which this instance last rejected a conversion. */
  let refused = 0
  const writes = countWrites(first.version, risen)
  const refresh = async (): Promise<void> => {
    // A lower version means that the database was emptied. The next start then chooses the definitions.
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
      // Entries are converted only after every instance has shown, through `known`, that it can use the new
      // definitions. Otherwise an instance with the previous ones would send wrong responses.
      if (stored.converting !== undefined) registryOf(stored.converting.definitions)
      const next = registryOf(stored.definitions.map(sourced))
      former = [before, ...former].slice(0, maxPrevious)
      current = next
      log.info(
        { version: next.version },
        'This instance now serves the definitions of another instance',
      )
    } catch (err) {
      if (stored.converting !== undefined) {
        if (refused !== stored.version) log.error({ err, event: 'conversion-refused' }, cannotServe)
        refused = stored.version
        return
      }
      current = before
      log.error(
        { err, event: 'definitions-not-followed' },
        'Another instance has changed the definitions, but this one cannot serve them. It keeps the previous ones',
      )
    }
    writes.raise(stored.version)
  }
  return {
    /** Returns the current registry, which is replaced when another process has changed the definitions. */
    registry: () => current,
    /** Returns the registry of this type object: the current one, or a previous one that an in-flight request uses. */
    registryOf: (type: ContentType): Registry =>
      [current, ...former].find(({ contentTypes }) => contentTypes.get(type.uid) === type) ??
      current,
    /** Reads newer definitions, if any, and uses them from then on. */
    refresh,
    /** Returns the newest version that all in-flight writes take into account (`Registry.whole`). */
    known: writes.known,
    /** Records that a write uses the current registry. Returns a function to call at its end. */
    begin: writes.begin,
    /** Adds a check of each new registry. If it throws, the previous registry stays in use. */
    before: (check: (next: Registry) => void): void => void checks.push(check),
  }
}

const cannotServe =
  'This instance cannot serve the new definitions, so no entries are converted while it runs'

/** Maximum number of previous registries to keep. Definitions do not change more often during one request. */
const maxPrevious = 3

/** Tracks the versions of the definitions that in-flight writes use. */
function countWrites(version: number, risen: () => void) {
  let newest = version
  let reported = version
  const underWay = new Map<number, number>()
  const known = (): number => Math.min(newest, ...underWay.keys())
  const report = (): void => {
    if (known() <= reported) return
    reported = known()
    risen()
  }
  return {
    newest: () => newest,
    known,
    raise: (to: number): void => {
      newest = to
      report()
    },
    begin: () => {
      const begun = newest
      underWay.set(begun, (underWay.get(begun) ?? 0) + 1)
      return () => {
        const left = (underWay.get(begun) ?? 1) - 1
        if (left > 0) underWay.set(begun, left)
        else underWay.delete(begun)
        report()
      }
    },
  }
}

/** Returns all attributes that entries may have, including those that this instance does not use. */
export function wholeOf(
  served: Registry,
  { definitions, previous }: Pick<Stored, 'definitions' | 'previous'>,
): WholeTypes {
  const newest = definitions.map(sourced)
  return {
    stored: withTypes(served, linkTypes(withPrevious(previous, newest))),
    newest: withTypes(served, linkTypes(newest)),
  }
}
