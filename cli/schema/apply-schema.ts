import type { Db } from 'mongodb'
import { convertEntries } from '../../engine/convert-entries.js'
import { prepareCollections } from '../../engine/database/prepare-collections.js'
import { withLease } from '../../engine/database/with-lease.js'
import { collectionOf, type ContentType } from '../../engine/schema/content-type.js'
import { typeOf, type Registry } from '../../engine/schema/registry.js'
import { countText } from '../../engine/values/count-text.js'
import { legacyIds, legacyKey } from '../../server/content/legacy-ids.js'
import { conversionsFor, unfinished } from '../../server/content-types/check-changes.js'
import { checkMarkedFormat } from '../../server/content-types/check-format.js'
import { checkMerged, compareFiles } from '../../server/content-types/compare-files.js'
import {
  readDefinitions,
  writeConverting,
  type Conversion,
} from '../../server/content-types/definition-store.js'
import { keepUniques } from '../../server/content-types/keep-uniques.js'
import { sourced } from '../../server/content-types/merge-definitions.js'
import { findInstance, servesOlder, whenKnown } from '../../server/content-types/other-instances.js'
import { readSchemaFiles } from '../../server/content-types/schema-files.js'
import { withSchemaLock } from '../../server/content-types/store.js'
import { DatabaseInUse } from '../../server/database/database-in-use.js'
import { refuseHalfImported } from '../../server/database/half-imported.js'
import { readDefault } from '../../server/locales/default-locale.js'
import { readLocales, toLocaleSet } from '../../server/locales/locales.js'
import { runRepair } from '../../server/repair/run-repair.js'
import { loadConfig } from '../../server/settings/config.js'
import { ownCommand } from '../../server/settings/own-command.js'
import { adoptDefinitions } from '../adopt-definitions.js'
import { withDatabase, withHeartbeat, type OpenDatabase } from '../with-database.js'

/**
 * Runs `quire schema apply`: makes the definitions in SCHEMA_DIR the newest, and converts entries of types that get
 * drafts or locales (docs/internals/storage.md, "Converting entries"). Continues an interrupted conversion.
 * @throws SchemaError if the service would reject the definitions for a reason other than unconverted entries
 */
export async function applySchema(): Promise<void> {
  const config = loadConfig()
  const { schemaDir } = config
  if (schemaDir === undefined)
    throw new Error('SCHEMA_DIR is not set, so there are no definitions to apply')
  const work = async (database: OpenDatabase): Promise<void> => {
    const { db } = database
    await refuseHalfImported(db)
    await checkMarkedFormat(db)
    await withHeartbeat(database, {}, () =>
      onlyOne(database, (check) => apply({ ...database, schemaDir, check })),
    )
  }
  try {
    await withDatabase('schema', work, config)
  } catch (error) {
    if (!(error instanceof DatabaseInUse)) throw error
    const again = ownCommand('schema apply')
    throw new Error(
      `A running service uses the database. Stop it, run \`${again}\`, and start it again. ${error.message}`,
      { cause: error },
    )
  }
}

type Applying = OpenDatabase &
  Readonly<{
    schemaDir: string
    /** Throws if another process has taken over the lease for applying definitions. */
    check: () => Promise<void>
  }>

/** Maximum number of attempts to acquire the lease. If its owner was killed, it expires before the last attempt. */
const maxTries = 200

function onlyOne<T>(
  { db, log, singleProcess }: OpenDatabase,
  task: (check: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const lost = (err: unknown): void => log.warn({ err }, 'The lock of the conversion was lost')
  const lease = { db, collection: '_settings', _id: 'applying', singleProcess, lost }
  return withLease(lease, task, (tries) => {
    if (tries > maxTries)
      throw new Error(`Another \`${ownCommand('schema apply')}\` is running. Wait until it ends`)
  })
}

async function apply(applying: Applying): Promise<void> {
  const { db, schemaDir, log, singleProcess } = applying
  const planned = await plan(applying)
  const { registry, conversions } = planned
  if (conversions.length === 0 && planned.state === 'newest') {
    console.log(`The definitions in ${schemaDir} are the newest. There is nothing to do.`)
    return
  }
  if (conversions.length === 0 && planned.state === 'older')
    throw new Error(
      `The database has newer definitions than those in ${schemaDir}. To go back to the older ones: ${ownCommand('schema --go-back')}`,
    )
  // Create indexes first: this fails if a new unique attribute has duplicate values.
  await prepareCollections(db, registry, { drops: 'never' })
  if (conversions.length > 0) {
    await announce(applying, planned)
    await convert(applying, registry, conversions)
  }
  const adopting = { onOlder: 'adopt', converted: true } as const
  const { registry: served, cameBack } = await adoptDefinitions(applying, adopting)
  if (conversions.length > 0) {
    await whenServed(applying, served.version)
    await convert(applying, served, conversions)
    const version = await writeConverting(db, undefined)
    if (!singleProcess) await whenKnown(db, version)
    if (singleProcess || !(await servesOlder(db, version))) await prepareCollections(db, served)
  } else if (!singleProcess) await whenKnown(db, served.version)
  await keepUniques({ db, log, registry: served })
  if (cameBack) await runRepair({ db, registry: served, repairs: true })
  console.log(
    `The definitions in ${schemaDir} are the newest now. ` +
      (singleProcess ? 'Start the service.' : 'Running instances serve them.'),
  )
}

type Plan = Awaited<ReturnType<typeof plan>>

/** Makes the checks that the service makes when it starts, and returns the necessary conversions. Changes nothing. */
async function plan({ db, config, schemaDir, singleProcess }: Applying) {
  const { settings } = config
  const stored = await readDefinitions(db)
  const known = stored.definitions.map(sourced)
  const customFields = settings['schema.customFields']
  const files = await readSchemaFiles(schemaDir, { customFields, before: known })
  const { state, merged } = compareFiles(files, stored)
  const { definitions, renamed } = merged
  const hidden = settings['api.responses.privateAttributes']
  const { registry, change } = await checkMerged(db, stored, merged, {
    hidden,
    converted: true,
    singleProcess,
  })
  const locale = toLocaleSet(await readLocales(db), await readDefault(db)).default
  const begun = stored.converting?.conversions ?? []
  for (const { uid, drafts, locale } of begun) {
    const type = registry.contentTypes.get(uid)
    const isRequested = (!drafts || type?.draftAndPublish) && (locale === null || type?.localized)
    if (isRequested !== true && stored.converting !== undefined)
      throw new Error(unfinished(stored.converting))
  }
  const conversions = conversionsFor(change, locale)
  // Converted entries get record ids from the sequence of the type's uid, which is only renamed at the next start.
  if (conversions.length > 0 && renamed.length > 0)
    throw new Error(
      `${renamed.map(({ from, to }) => `${from} becomes ${to}`).join(', ')}, and drafts or locales are turned on. Do this in two steps. ` +
        `First remove the lines that turn them on, and start once. Then add them again, and run \`${ownCommand('schema apply')}\``,
    )
  return {
    registry,
    definitions,
    version: stored.version,
    state,
    conversions: joined(begun, conversions),
    wasBegun: begun.length > 0,
  }
}

/** Adds unfinished conversions of an earlier run. They keep the locale with which that run began. */
function joined(
  begun: readonly Conversion[],
  requested: readonly Conversion[],
): readonly Conversion[] {
  const conversions = new Map(begun.map((one) => [one.uid, one]))
  for (const { uid, drafts, locale } of requested) {
    const other = conversions.get(uid)
    conversions.set(uid, {
      uid,
      drafts: drafts || other?.drafts === true,
      locale: other?.locale ?? locale,
    })
  }
  return [...conversions.values()]
}

/** Makes all instances reject writes to the types to convert, and waits until they do. */
async function announce(
  { db, log, singleProcess }: Applying,
  { conversions, definitions, version: seen, wasBegun }: Plan,
): Promise<void> {
  const version = await withSchemaLock({ db, log, singleProcess }, async () => {
    const { version: now } = await readDefinitions(db)
    if (now !== seen)
      throw new Error('The definitions have changed since this command started. Run it again')
    return writeConverting(db, { conversions, definitions })
  })
  try {
    await whenServed({ db, singleProcess }, version)
  } catch (error) {
    // Nothing has been converted yet, so allow writes again.
    if (!wasBegun) await writeConverting(db, undefined)
    throw error
  }
}

/** Waits until every process serves these definitions. Throws an error that names a process that does not. */
async function whenServed(
  { db, singleProcess }: Pick<OpenDatabase, 'db' | 'singleProcess'>,
  version: number,
): Promise<void> {
  if (singleProcess) return
  await whenKnown(db, version)
  const instance = await findInstance(db, {
    // Commands that work on content send heartbeats with a `schemaVersion` but without `knows`.
    $or: [{ knows: { $lt: version } }, { knows: { $exists: false }, schemaVersion: { $gt: 0 } }],
  })
  if (instance === null) return
  const { pid, host } = instance
  throw new Error(
    `The process ${pid} on ${host} does not serve the definitions. If it is a command, wait until it ends. ` +
      'If it is a service, see its log for the reason. Then run this command again',
  )
}

/** Repeats the conversion until nothing is left, because background work may change entries while a conversion runs. */
async function convert(
  { db, check }: Applying,
  registry: Registry,
  conversions: readonly Conversion[],
): Promise<void> {
  for (const { uid, drafts, locale } of conversions) {
    const type = typeOf(registry, uid)
    const conversion = { type, drafts, locale }
    const progress = progressPrinter(uid)
    let changed = 0
    for (let count = -1; count !== 0; changed += count)
      count = await convertEntries(conversion, { db, registry, check, progress })
    if (locale !== null)
      await legacyIds(db).updateMany(
        { _id: { $gte: legacyKey(uid, ''), $lt: legacyKey(uid, '~') }, locale: null },
        { $set: { locale } },
      )
    if (changed === 0) continue
    const what = [
      ...(locale === null ? [] : [`the locale ${locale}`]),
      ...(drafts ? ['drafts'] : []),
    ]
    const entries = await countEntries(db, type)
    console.log(`${uid}: gave ${what.join(' and ')} to ${countText(entries, 'entry', 'entries')}`)
  }
}

/** Counts the entries of a type. All locales of an entry count as one. */
async function countEntries(db: Db, type: ContentType): Promise<number> {
  // Counting drafts is enough, because every entry of a type with drafts has one.
  const [counted] = await db
    .collection(collectionOf(type, 'draft'))
    .aggregate<{ entries: number }>([{ $group: { _id: '$documentId' } }, { $count: 'entries' }], {
      allowDiskUse: true,
    })
    .toArray()
  return counted?.entries ?? 0
}

/** Number of documents between two progress messages. */
const reportEvery = 10_000

function progressPrinter(uid: string) {
  const printed = new Map<string, number>()
  return (collection: string, count: number): void => {
    const next = (printed.get(collection) ?? 0) + reportEvery
    if (count < next) return
    printed.set(collection, next)
    console.log(`${uid}: ${count} done in ${collection} …`)
  }
}
