import type { Db } from 'mongodb'
import { repairModified } from '../../engine/repair.js'
import { createRegistryFrom } from '../../engine/schema/define-registry.js'
import type { Registry } from '../../engine/schema/registry.js'
import { readDefinitions } from '../../server/content-types/definition-store.js'
import { sourced } from '../../server/content-types/merge-definitions.js'
import { runRepair } from '../../server/repair/run-repair.js'
import { withFolders } from '../../server/upload/folders/folder-types.js'
import type { Providers } from '../../server/upload/storage-provider.js'
import { openUnsettledContents } from '../../server/upload/unsettled-contents.js'
import { parts } from '../../server/backup/parts.js'
import { selectionOf, type Asked, type Selection } from '../../server/backup/selection.js'
import { ImportRefused } from '../import-refused.js'
import { findForeignStore, withStores } from '../media/with-stores.js'
import type { OpenDatabase } from '../with-database.js'
import { clearChosen, findChosen } from './clear-chosen.js'
import {
  beginImport,
  findOther,
  forgetOthers,
  importRecords,
  saveProgress,
  type ImportRecord,
} from './import-record.js'
import type { Overview } from './overview.js'
import { narrowToArchive } from './narrow-to-archive.js'
import { openRegistry, placeSchema, planSchema, type SchemaPlan } from './place-schema.js'
import { writeMembers } from './write-archive-members.js'

export type IntoOptions = Readonly<{
  asked: Asked
  /** What is there before is taken away. */
  replace: boolean
  /** Where definitions differ, those of the project count. */
  keepDefinitions: boolean
  progress: (what: string) => void
}>

/**
 * Imports into a database that nobody else uses: what was begun with this archive goes on, what was done is done.
 * @throws ImportRefused where that would mix it with other content, or with other definitions
 */
export async function importInto(
  database: OpenDatabase,
  overview: Overview,
  options: IntoOptions,
): Promise<Imported> {
  const { db } = database
  const { asked, replace } = options
  const there = await registryOf(database)
  const selection = chosenOf(asked, overview, there)
  const before = await importRecords(db).findOne({ _id: overview.end.checksum })
  const isBegun = before !== null && before.stage !== 'done'
  if (before?.stage === 'done' && !replace && isSame(before.asked, asked)) {
    await forgetOthers(db, before)
    return { record: before, wasDone: true }
  }
  if (isBegun && !isSame(before.asked, asked))
    throw new ImportRefused(
      'This import was begun with other --only and --exclude: repeat it with those',
    )
  const schema = await planSchema(database, overview, selection, options.keepDefinitions)
  if (!isBegun) await refuseHalf(db, overview, selection, replace)
  if (!isBegun && !replace) await refuseContent(database, [there, schema.planned], selection)
  const begun: ImportRecord = {
    ...{ _id: overview.end.checksum, command: 'import', startedAt: new Date() },
    ...{ stage: 'clearing', asked, at: 0 },
    definitions: schema.missing.map(({ uid }) => uid),
    brings: {
      parts: parts.filter(selection.hasWhole),
      types: Object.keys(overview.end.entries).filter(selection.hasType),
    },
  }
  if (!isBegun) await beginImport(db, begun)
  await forgetOthers(db, begun)
  const toDo = { database, overview, selection, schema, there, options }
  return { record: await runStages(toDo, isBegun ? before : begun), wasDone: false }
}

/** How an import ended. */
export type Imported = Readonly<{
  record: ImportRecord
  /** Whether it had been done before, and nothing was changed. */
  wasDone: boolean
}>

type ToDo = Readonly<{
  database: OpenDatabase
  overview: Overview
  selection: Selection
  schema: SchemaPlan
  /** The types that there were before. */
  there: Registry
  options: IntoOptions
}>

/** Does what is left of an import, stage by stage; none begins before what the former did is on disk. */
function runStages(toDo: ToDo, begun: ImportRecord): Promise<ImportRecord> {
  const { database, overview, selection, options } = toDo
  const { db } = database
  const { progress } = options
  return withStores(database, async (providers) => {
    let record = begun
    if (record.stage === 'clearing') {
      progress('Taking away what is there')
      await clear(toDo, providers)
      record = await saveProgress(db, record, { stage: 'writing', at: 0 })
    }
    const registry = await registryOf(database)
    if (record.stage === 'writing') {
      await writeMembers({ db, overview, registry, selection, providers, record, progress })
      record = await saveProgress(db, record, { stage: 'finishing', at: overview.end.members })
    }
    if (record.stage === 'finishing') {
      await finish(toDo)
      record = await saveProgress(db, record, { stage: 'done', finishedAt: new Date() })
    }
    return record
  })
}

/** Takes away what the archive brings, and brings its definitions. */
async function clear({ database, overview, selection, schema, there }: ToDo, providers: Providers) {
  const { db, log, alone, config } = database
  const other = await findForeignStore(database, there, providers)
  if (other !== undefined) throw new ImportRefused(other)
  const clearAll = async (registry: Registry): Promise<void> => {
    const contents = openUnsettledContents(
      { db, log, settings: config.settings, registry: () => registry },
      { providers, alone },
    )
    await clearChosen(db, registry, selection, contents)
  }
  // What the former definitions stored is not to be stranded by those that come.
  await clearAll(there)
  await placeSchema(database, overview, schema)
  await clearAll(await openRegistry(database))
}

/** Makes the indexes, and mends what was under way when the archive was written. */
async function finish({ database, overview, selection, options }: ToDo): Promise<void> {
  const { db } = database
  const { manifest } = overview
  options.progress('Making indexes')
  const registry = await openRegistry(database)
  const isLive = manifest.moment === 'live'
  const isWhole = selection.hasWhole('content') && selection.hasWhole('media')
  if (!isLive && !(isWhole && manifest.unfinished)) return
  options.progress('Looking for what was cut off')
  if (isWhole) await runRepair({ db, registry, mends: true })
  // Whether a draft is modified shows by two versions, which were not read at one moment.
  else await repairModified({ db, registry, mends: true, found: () => undefined })
}

/** What is asked for, of what the archive has. @throws Error for a name that is none */
function chosenOf(asked: Asked, overview: Overview, there: Registry): Selection {
  const archived = [...overview.uids, ...Object.keys(overview.end.entries)]
  const defined = overview.definitions.map(({ _id }) => _id)
  const chosen = selectionOf(asked, [...there.contentTypes.keys(), ...archived, ...defined])
  return narrowToArchive(chosen, overview)
}

/** By what the database says. */
async function registryOf({ db }: Pick<OpenDatabase, 'db'>): Promise<Registry> {
  const { definitions, version } = await readDefinitions(db)
  return withFolders(createRegistryFrom(definitions.map(sourced), version))
}

/** What another import left by half goes with `--replace` where all of that is brought now. */
async function refuseHalf(
  db: Db,
  { end }: Overview,
  selection: Selection,
  replace: boolean,
): Promise<void> {
  const other = await findOther(db, end.checksum)
  if (other === undefined) return
  const { brings } = other
  const isCovered =
    brings === undefined
      ? parts.every(selection.hasWhole)
      : parts.every((part) => !brings.parts.includes(part) || selection.hasWhole(part)) &&
        brings.types.every(selection.hasType)
  if (replace && isCovered) return
  throw new ImportRefused(
    `The import of another archive was cut off here: repeat that one, or take away what it left (${replace ? '--replace with an archive, and parts of it, that bring all of that: some of it would stay by half' : '--replace'})`,
  )
}

/** @param registries what is defined, and what there would be, of which there may be collections from an earlier time */
async function refuseContent(
  { db }: Pick<OpenDatabase, 'db'>,
  registries: readonly [Registry, Registry],
  selection: Selection,
): Promise<void> {
  const found = await findChosen(db, registries, selection)
  if (found.length > 0)
    throw new ImportRefused(
      `There is content here already (${found.join(', ')}): import into an empty database, or take away what is there (--replace)`,
    )
}

const isSame = (one: Asked, other: Asked): boolean => JSON.stringify(one) === JSON.stringify(other)
