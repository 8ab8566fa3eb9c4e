import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import { LeaseLost, withLease } from '../../engine/database/with-lease.js'
import { prepareCollections } from '../../engine/database/prepare-collections.js'
import type { SourcedDefinition } from '../../engine/schema/define/define-all.js'
import { linkTypes } from '../../engine/schema/define/define-registry.js'
import { definedTypes, type Registry } from '../../engine/schema/registry.js'
import { lineOf, type SchemaProblem } from '../../engine/schema/schema-error.js'
import { withoutTypes } from './check-definitions.js'
import { checkFormat } from './check-format.js'
import { checkMerged, compareFiles } from './compare-files.js'
import type { CustomFields } from './custom-fields.js'
import { servesOlder } from './other-instances.js'
import {
  lockedTypes,
  readDefinitions,
  writeChain,
  writeDefinitions,
  writeFormer,
  writeRenaming,
  readVersion,
  type Stored,
} from './definition-store.js'
import { followDefinitions, wholeOf } from './follow-definitions.js'
import { sourced, type Merged } from './merge-definitions.js'
import { moveRenamed, prepareRenamed } from './move-renamed.js'
import { withPrevious, withNewest } from './schema-chain.js'
import { readSchemaFiles } from './schema-files.js'
import { ownCommand } from '../settings/own-command.js'
import { isStored } from '../../engine/schema/attribute.js'
import { attributesIn } from '../../engine/schema/attributes-in.js'
import { isReferring } from '../../engine/schema/edge-attribute.js'
import { placeText } from '../../engine/schema/reference-places.js'
import type { Types } from '../../engine/schema/stored-places.js'

/** The definitions in use. Call `registry` for every request, because definitions can change. */
export type SchemaStore = Awaited<ReturnType<typeof openSchemaStore>>

export type SchemaStoreOptions = Readonly<{
  db: Db
  /** Folder of the definitions. If undefined, the definitions in the database are used. */
  schemaDir: string | undefined
  log: Logger
  /** Setting `schema.customFields`. */
  customFields?: CustomFields | undefined
  /** Definitions in an export that is about to be imported. */
  exported?: readonly SourcedDefinition[] | undefined
  /** Setting `api.responses.privateAttributes`. */
  hidden?: readonly string[] | undefined
  /**
   * What to do if the definitions in the files are older than those in the database. Default `serve`: use those in the
   * database.
   */
  onOlder?: 'serve' | 'refuse' | 'adopt' | undefined
  /** Whether no other process can use this database. */
  singleProcess?: boolean | undefined
  /**
   * Whether existing entries are or will be converted (`Converting`). If false, definitions that require a conversion
   * are rejected.
   */
  converted?: boolean | undefined
  /** Called when the oldest version of the definitions that a write in flight may use has increased. */
  risen?: (() => void) | undefined
}>

/**
 * Loads and checks the definitions, writes changed ones to `_schemas` and updates all indexes. Writes nothing if a
 * definition is invalid or content would become unusable. If the files contain an older state of the definitions than
 * the database, uses the newer ones in the database and writes nothing, unless `onOlder` says otherwise. Throws a
 * SchemaError, or an Error that says why the service cannot start.
 */
export async function openSchemaStore(options: SchemaStoreOptions) {
  const { db, log, schemaDir, exported = [] } = options
  await checkFormat(db)
  const warnings: SchemaProblem[] = []
  const stored = (await readDefinitions(db)).definitions.map(sourced)
  const reading = {
    customFields: options.customFields,
    before: [...stored, ...exported],
    warn: (warning: SchemaProblem) => void warnings.push(warning),
  }
  const files = schemaDir === undefined ? undefined : await readSchemaFiles(schemaDir, reading)
  const { registry, keepsOthers, cameBack, isRenaming } = await withSchemaLock(options, (check) =>
    settle(options, files, check),
  )
  for (const warning of warnings) log.warn(lineOf(warning))
  const types = definedTypes(registry).length
  log.info(
    { version: registry.version, contentTypes: types, components: registry.components.size },
    'The schema is loaded',
  )
  for (const warning of withoutTypes(registry, schemaDir)) log.warn(warning)
  if (cameBack) log.warn(cameBackText)
  const endDropping = keepsOthers ? dropIndexesLater(options, registry) : undefined
  return {
    ...followDefinitions(registry, options),
    /**
     * Whether relations were removed from the definitions and are now declared again. They may refer to entries that
     * were deleted in between.
     */
    cameBack,
    /**
     * After a rename of types: moves the data that instances with the previous definitions have written under the
     * previous uids. Call it when no such instance runs any more.
     */
    finishRenames: async (): Promise<void> => {
      if (!isRenaming) return
      await withSchemaLock(options, async () => {
        await moveRest(db, await readDefinitions(db))
        await writeRenaming(db, [])
      })
    },
    stop: async (): Promise<void> => endDropping?.(),
  }
}

/** Runs a task while no other instance reads or changes the schema. */
export async function withSchemaLock<T>(
  { db, log, singleProcess = false }: Pick<SchemaStoreOptions, 'db' | 'log' | 'singleProcess'>,
  task: (check: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const lost = (err: unknown): void => log.warn({ err }, 'The lock of the schema was lost')
  const lease = { db, collection: '_schemas', _id: 'lock', singleProcess, lost }
  try {
    return await withLease(lease, task, (tries) => {
      if (tries === 20)
        log.info('Waiting for another instance that is reading or changing the schema')
    })
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error
    throw new Error('Another instance is changing the schema. Start again', { cause: error })
  }
}

/** Decides whether to use the definitions of the files or of the database, and prepares the database for them. */
async function settle(
  options: SchemaStoreOptions,
  files: readonly SourcedDefinition[] | undefined,
  check: () => Promise<void>,
) {
  const {
    db,
    log,
    schemaDir,
    hidden,
    onOlder = 'serve',
    singleProcess = false,
    converted = false,
  } = options
  const stored = await readDefinitions(db)
  await moveRest(db, stored)
  const compared = files && compareFiles(files, stored)
  const isBehind = compared?.state === 'older' && onOlder !== 'adopt'
  if (isBehind && onOlder === 'refuse') throw new Error(olderText(schemaDir))
  if (isBehind) log.warn(`${olderText(schemaDir)}. The newer ones are served`)

  const merged = compared === undefined || isBehind ? asStored(stored) : compared.merged
  const { definitions, changes, before, everDefined, renamed } = merged
  const {
    registry: checked,
    warnings,
    hasChanges,
    effects,
  } = await checkMerged(db, stored, merged, { hidden, converted, singleProcess })
  if (hasChanges) {
    // Drop no outdated index yet: if this start fails, the service can still start with the previous definitions.
    await prepareCollections(db, checked, { drops: 'never' })
    await check()
    await writeFormer(db, withPrevious(everDefined, definitions))
    await prepareRenamed(db, renamed)
    if (renamed.length > 0) await writeRenaming(db, renamed)
    await check()
  }
  const version = hasChanges ? await writeDefinitions(db, changes) : stored.version
  await moveRenamed(db, renamed, checked)
  const isRenaming = stored.renaming.length + renamed.length > 0
  if (isRenaming && singleProcess) await writeRenaming(db, [])
  // Write the hashes of the files last: if the start is interrupted before, the next start with the same files
  // continues.
  if (compared && !isBehind && (compared.state !== 'newest' || stored.hashes === undefined))
    await writeChain(db, withNewest(compared.hash, compared.chain))
  await check()
  // Keep the indexes that instances with previous definitions need.
  const keepsOthers = !singleProcess && (await servesOlder(db, version))
  await prepareCollections(db, checked, { drops: keepsOthers ? 'if full' : 'always' })
  for (const effect of effects)
    log.warn({ event: 'schema-effect', uid: effect.uid }, lineOf(effect))
  for (const warning of warnings) log.warn(warning)
  const served = { ...checked, version }
  const whole = wholeOf(served, await readDefinitions(db))
  const cameBack = hasChanges && bringsBack(served, linkTypes(before), linkTypes(everDefined))
  const locked = lockedTypes(stored)
  return {
    ...{ registry: Object.freeze({ ...served, whole, locked }), keepsOthers, cameBack },
    isRenaming: isRenaming && !singleProcess,
  }
}

/**
 * Moves data that is still stored under the previous uids of renamed types: an earlier start was interrupted, or
 * another instance still uses the previous definitions.
 */
async function moveRest(
  db: Db,
  { renaming, definitions }: Pick<Stored, 'renaming' | 'definitions'>,
): Promise<void> {
  // Skip a type whose new definition is not stored yet, because an earlier start was interrupted.
  const served = renaming.filter(({ to }) => definitions.some(({ _id }) => _id === to))
  if (served.length > 0) await moveRenamed(db, served, linkTypes(definitions.map(sourced)))
}

function asStored(stored: Stored): Merged {
  const before = stored.definitions.map(sourced)
  return {
    ...{ definitions: before, before, everDefined: withPrevious(stored.previous, before) },
    ...{ replaced: [], renamed: [] },
    changes: { put: [], remove: [] },
  }
}

const cameBackText = `Relations that had been removed from the definitions are served again. To remove references to entries that were deleted meanwhile (they are not shown), run ${ownCommand('repair')}`

const olderText = (schemaDir = ''): string =>
  `The database has newer definitions than those in ${schemaDir}. ` +
  `To go back to the older ones: ${ownCommand('schema --go-back')} (for development, schema.onOlder=adopt does this at every start)`

const everyMs = 1_000

/**
 * Drops the indexes of previous definitions when no instance uses these definitions any more. Until then, the indexes
 * serve requests, and keep values unique in case an admin restores the definitions. If the definitions change again,
 * leaves this to the process that changes them. Returns a function that stops the timer and waits for a running check.
 */
function dropIndexesLater(options: SchemaStoreOptions, registry: Registry): () => Promise<void> {
  const { db, log } = options
  let working: Promise<void> | undefined
  const isNewest = async (): Promise<boolean> => (await readVersion(db)) === registry.version
  const work = async (): Promise<void> => {
    try {
      if ((await isNewest()) && (await servesOlder(db, registry.version))) return
      clearInterval(timer)
      await withSchemaLock(options, async () => {
        if (await isNewest()) await prepareCollections(db, registry)
      })
    } catch (err) {
      log.warn({ err }, 'Unused indexes could not be dropped')
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

/**
 * Returns whether a relation or media attribute has come back: earlier definitions had it, the previous ones did not.
 */
function bringsBack(served: Types, before: Types, earlier: Types): boolean {
  const known = placesIn(before)
  const earlierPlaces = placesIn(earlier)
  return [...placesIn(served)].some((place) => !known.has(place) && earlierPlaces.has(place))
}

function placesIn(types: Types): ReadonlySet<string> {
  const places = [...types.contentTypes.values()].flatMap((type) =>
    [...attributesIn(type, types)]
      .filter(({ attribute }) => isReferring(attribute) && isStored(attribute))
      .map(({ segments, attribute }) => `${type.uid} ${placeText(segments, attribute.storedAs)}`),
  )
  return new Set(places)
}
