import type { Db } from 'mongodb'
import { componentSequence } from '../../engine/database/take-ids.js'
import { createRegistryFrom } from '../../engine/schema/define-registry.js'
import type { Registry } from '../../engine/schema/registry.js'
import { openSchemaStore } from '../../server/content-types/store.js'
import { withFolders } from '../../server/upload/folders/folder-types.js'
import { ImportRefused } from '../import-refused.js'
import type { OpenDatabase } from '../with-database.js'
import { compareDefinitions, type Comparison } from './definitions/compare-definitions.js'
import {
  definitionsOf,
  placeDefinitions,
  projectDefinitions,
} from './definitions/place-definitions.js'
import { findMade } from '../find-made.js'
import { isReplacedBy } from './clear-database.js'
import { importRecords, type ImportRecord } from './import-record.js'
import type { Plan } from './plan.js'
import { sequences } from './number-ids.js'
import { reportOf, type ImportReport } from './report.js'
import { runStages } from './run-stages.js'

type Options = Readonly<{
  replace: boolean
  keepDefinitions: boolean
  progress: (what: string) => void
}>

/**
 * Imports into a database that nobody else uses: what was begun with this archive goes on, what was done is done.
 * @throws ImportRefused where that would mix it with other content, or with other definitions
 */
export async function importInto(
  database: OpenDatabase,
  plan: Plan,
  options: Options,
): Promise<ImportReport> {
  const { db, config } = database
  const there = await projectDefinitions(config, db)
  const compared = compareDefinitions(plan.definitions, there)
  if (!options.keepDefinitions) refuseOthers(compared)
  // They are checked together before any of them is written.
  const planned = withFolders(createRegistryFrom([...there, ...compared.missing], 0))
  const before = await importRecords(db).findOne({ _id: plan.overview.id })
  const isDone = before?.stage === 'done' && !options.replace
  if (isDone) {
    await forgetOthers(db, plan)
    return reportOf(plan, before, compared)
  }
  const isBegun = before !== null && before.stage !== 'done'
  if (!isBegun && !options.replace) await refuseMade(db, planned, plan)
  await placeDefinitions(database, compared.missing)
  const registry = withFolders(await openRegistry(database))
  const record = isBegun ? before : await begin(db, plan, options.replace)
  await forgetOthers(db, plan)
  const done = await runStages({ database, plan, registry, record, progress: options.progress })
  return reportOf(plan, done, compared)
}

function refuseOthers({ differences }: Comparison): void {
  if (differences.length === 0) return
  throw new ImportRefused(
    [
      'Definitions of the export differ from those that are here:',
      ...differences.map((line) => `  ${line}`),
      'Make them equal, or import by those that are here (--keep-definitions)',
    ].join('\n'),
  )
}

/** @param planned what there would be, of which there may be collections from an earlier time */
async function refuseMade(db: Db, planned: Registry, { overview }: Plan): Promise<void> {
  const other = await importRecords(db).findOne({ stage: { $ne: 'done' } })
  if (other !== null)
    throw new ImportRefused(
      'The import of another archive was cut off here: repeat that one, or take away what it left (--replace)',
    )
  const present = createRegistryFrom(await definitionsOf(db), 0)
  const made = await findMade(db, [present, planned], isReplacedBy(overview.rows))
  if (made.length > 0)
    throw new ImportRefused(
      `There is content here already (${made.join(', ')}): import into an empty database, or take away what is there (--replace)`,
    )
}

/** The definitions as the service serves them, with their indexes made. */
async function openRegistry({ db, log, alone, config }: OpenDatabase): Promise<Registry> {
  const { schemaDir, settings } = config
  const store = await openSchemaStore({
    ...{ db, log, schemaDir, alone },
    customFields: settings['schema.customFields'],
    hidden: settings['api.responses.privateAttributes'],
  })
  await store.stop()
  return store.registry()
}

async function begin(db: Db, { overview, notes }: Plan, replace: boolean): Promise<ImportRecord> {
  const begun: Omit<ImportRecord, '_id'> = {
    ...{ startedAt: new Date(), stage: 'clearing', replace },
    componentsAfter: (await sequences(db).findOne({ _id: componentSequence }))?.value ?? 0,
    ...{ componentsFrom: {}, mapped: {}, media: { files: 0, bytes: 0 } },
    notes: notes.list(),
  }
  await importRecords(db).replaceOne({ _id: overview.id }, begun, { upsert: true })
  return { _id: overview.id, ...begun }
}

/**
 * Of several archives that were imported one after the other, the last is the one that is known. Nothing is done before:
 * where two are noted because one who began was killed, neither has changed anything of what the other did.
 */
async function forgetOthers(db: Db, { overview }: Plan): Promise<void> {
  await importRecords(db).deleteMany({ _id: { $ne: overview.id } })
}
