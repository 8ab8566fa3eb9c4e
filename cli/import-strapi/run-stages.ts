import { builtIn, typeOf, type Registry } from '../../engine/schema/registry.js'
import { legacyIds } from '../../server/content/legacy-ids.js'
import { writeDefault } from '../../server/locales/default-locale.js'
import { firstLocale } from '../../server/locales/locales.js'
import type { Providers } from '../../server/upload/storage-provider.js'
import { openUnsettledContents } from '../../server/upload/unsettled-contents.js'
import { ImportRefused } from '../import-refused.js'
import { findForeignStore, withStores } from '../media/with-stores.js'
import type { OpenDatabase } from '../with-database.js'
import { clearDatabase, clearFirstOnes } from './clear-database.js'
import { writeContent } from './content/write-content.js'
import { importRecords, saveProgress, type ImportRecord } from './import-record.js'
import type { FileRules } from './media/file-assets.js'
import { writeAssets } from './media/write-assets.js'
import { createNotes } from './notes.js'
import { raiseSequences, rangesOf } from './number-ids.js'
import type { Plan } from './plan.js'
import { stageExport } from './staging/stage-export.js'
import { dropStaging } from './staging/staged.js'
import { defaultLocaleOf } from './told-settings.js'

type Parts = Readonly<{
  database: OpenDatabase
  plan: Plan
  /** With the folders of the media library. */
  registry: Registry
  record: ImportRecord
  progress: (what: string) => void
}>

type Stages = Parts & Readonly<{ files: FileRules; providers: Providers }>

/**
 * Does what is left of an import, stage by stage; each can be repeated, and none begins before what the former did is on
 * disk. What is told is kept with what was done, so that nothing is told twice.
 */
export async function runStages(parts: Parts): Promise<ImportRecord> {
  const { database, registry } = parts
  const { db, config } = database
  return withStores(database, async (providers) => {
    const other = await findForeignStore(database, registry, providers)
    if (other !== undefined) throw new ImportRefused(other)
    const files = {
      deniedTypes: config.settings['upload.deniedTypes'],
      provider: providers.chosen.name,
      url: providers.chosen.url,
    }
    let { record } = parts
    for (const { from, run } of stagesOf({ ...parts, files, providers })) {
      if (record.stage !== from) continue
      await saveProgress(db, record._id, await run(record))
      record = (await importRecords(db).findOne({ _id: record._id })) ?? record
    }
    await dropStaging(db)
    return record
  })
}

type StageStep = Readonly<{
  from: ImportRecord['stage']
  /** Answers what is to be known afterwards, the next stage among it. */
  run: (record: ImportRecord) => Promise<Partial<Omit<ImportRecord, '_id'>>>
}>

const stagesOf = (stages: Stages): readonly StageStep[] => [
  { from: 'clearing', run: (record) => clear(stages, record) },
  { from: 'staging', run: (record) => stage(stages, record) },
  { from: 'content', run: (record) => write(stages, record) },
  { from: 'media', run: (record) => store(stages, record) },
]

async function clear(
  { database, plan, registry, providers, progress }: Stages,
  { replace }: ImportRecord,
) {
  const { db, log, alone, config } = database
  const { rows } = plan.overview
  if (!replace) {
    await clearFirstOnes(db, registry, rows)
    return { stage: 'staging' } as const
  }
  progress('Taking away what is there')
  const contents = openUnsettledContents(
    { db, log, settings: config.settings, registry: () => registry },
    { providers, alone },
  )
  await clearDatabase(db, registry, contents, rows)
  await legacyIds(db).deleteMany({})
  return { stage: 'staging' } as const
}

async function stage(
  { database: { db }, plan: { archive }, registry, files, progress }: Stages,
  record: ImportRecord,
) {
  const notes = createNotes(record.notes)
  const largest = await stageExport({ archive, registry, notes, files, progress }, db)
  const componentsFrom = rangesOf(largest, record.componentsAfter)
  await raiseSequences(db, largest, record.componentsAfter)
  return { stage: 'content', componentsFrom, notes: notes.list() } as const
}

async function write(
  { database: { db }, plan: { overview }, registry, files, progress }: Stages,
  record: ImportRecord,
) {
  const notes = createNotes(record.notes)
  const defaultLocale = defaultLocaleOf(overview) ?? firstLocale.code
  const exportedAt = new Date(overview.exportedAt)
  const parts = { db, registry, record, notes, files, defaultLocale, exportedAt, progress }
  const mapped = await writeContent(parts)
  const { collectionName } = typeOf(registry, builtIn.locale)
  const isThere = await db.collection(collectionName).findOne({ code: defaultLocale })
  if (isThere !== null) await writeDefault(db, defaultLocale)
  return { stage: 'media', at: undefined, mapped, notes: notes.list() } as const
}

async function store(
  { database: { db, config }, plan: { archive }, providers, progress }: Stages,
  record: ImportRecord,
) {
  const notes = createNotes(record.notes)
  const sizeLimit = config.settings['upload.sizeLimit']
  const storage = providers.chosen
  const media = await writeAssets({ db, archive, notes, storage, sizeLimit, progress })
  return { stage: 'done', finishedAt: new Date(), media, notes: notes.list() } as const
}
