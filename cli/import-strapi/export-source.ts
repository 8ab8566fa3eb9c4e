import { componentSequence } from '../../engine/database/take-ids.js'
import type { SourcedDefinition } from '../../engine/schema/define-all.js'
import { createRegistryFrom } from '../../engine/schema/define-registry.js'
import { builtIn, typeOf, type Registry } from '../../engine/schema/registry.js'
import { legacyIds } from '../../server/content/legacy-ids.js'
import { writeDefault } from '../../server/locales/default-locale.js'
import { firstLocale } from '../../server/locales/locales.js'
import type { Providers } from '../../server/upload/storage-provider.js'
import { clearTypes } from '../import-runner/clear-types.js'
import { findMade, madeAtStart } from '../import-runner/find-made.js'
import {
  definitionsOf,
  openRegistry,
  placeDefinitions,
} from '../import-runner/place-definitions.js'
import type { ImportSource, ImportStage } from '../import-runner/run-import.js'
import type { OpenDatabase } from '../with-database.js'
import { writeContent } from './content/write-content.js'
import type { Overview } from './export-overview.js'
import type { ExportRecord } from './export-record.js'
import type { FileRules } from './media/file-assets.js'
import { writeAssets } from './media/write-assets.js'
import { createNotes } from './notes.js'
import { raiseSequences, rangesOf, sequences } from './number-ids.js'
import type { Plan } from './plan.js'
import { stageExport } from './staging/stage-export.js'
import { defaultLocaleOf } from './told-settings.js'

type Given = Readonly<{
  database: OpenDatabase
  plan: Plan
  /** Definitions that are not here. */
  missing: readonly SourcedDefinition[]
  /** What there would be, of which there may be collections from an earlier time. */
  planned: Registry
  replace: boolean
  progress: (what: string) => void
}>

/** What a Strapi exported, or what has the same files, as it is imported from. */
export function exportSource(given: Given): ImportSource<ExportRecord> {
  const { database, plan, missing, planned } = given
  const { db } = database
  const { id, rows } = plan.overview
  return {
    id,
    isSame: () => true,
    plan: () =>
      Promise.resolve({
        covers: () => true,
        findContent: async () => {
          const present = createRegistryFrom(await definitionsOf(db), 0)
          return findMade(db, [present, planned], isReplacedBy(rows))
        },
        start: async (begun) => {
          await placeDefinitions(database, missing)
          const registry = await openRegistry(database)
          const record = begun ?? (await begin(given))
          return { record, registry, stages: stagesOf({ ...given, registry }) }
        },
      }),
  }
}

/**
 * Whether an import stands in the place of all entries of a type, by its uid: admins stay, who are in no export.
 * @param rows how many the export has of each type: roles and locales of which it has none are not in its way
 */
const isReplacedBy =
  (rows: Overview['rows']) =>
  (uid: string): boolean =>
    uid !== builtIn.adminUser && (!madeAtStart.has(uid) || rows.has(uid))

async function begin({ database: { db }, plan, replace }: Given): Promise<ExportRecord> {
  const last = await sequences(db).findOne({ _id: componentSequence })
  return {
    _id: plan.overview.id,
    startedAt: new Date(),
    stage: 'clearing',
    replace,
    componentsAfter: last?.value ?? 0,
    componentsFrom: {},
    mapped: {},
    media: { files: 0, bytes: 0 },
    notes: plan.notes.list(),
  }
}

/** With the folders of the media library in the registry. */
type Parts = Given & Readonly<{ registry: Registry }>

/** What is told is kept with what was done, so that nothing is told twice. */
const stagesOf = (parts: Parts): readonly ImportStage<ExportRecord>[] => [
  { from: 'clearing', run: (record, providers) => clear(parts, record, providers) },
  { from: 'staging', run: (record, providers) => stage(parts, record, providers) },
  { from: 'content', run: (record, providers) => write(parts, record, providers) },
  { from: 'media', run: (record, providers) => store(parts, record, providers) },
]

/**
 * Takes away what the export brings. In a database in which nobody made anything (`findMade`) that is what a service
 * makes at its first start, where the export has it, and what was agreed on for single types that nobody wrote.
 */
async function clear(
  { database, plan, registry, progress }: Parts,
  { replace }: ExportRecord,
  providers: Providers,
) {
  const { db } = database
  const { rows } = plan.overview
  if (replace) {
    progress('Taking away what is there')
    await clearTypes(database, registry, providers, isReplacedBy(rows))
    await legacyIds(db).deleteMany({})
  } else {
    const isFirst = (uid: string): boolean => madeAtStart.has(uid) && rows.has(uid)
    await clearTypes(database, registry, providers, isFirst)
  }
  await db.collection('_singles').deleteMany({})
  // What is unique is so from the first row on.
  await openRegistry(database)
  return { stage: 'staging' } as const
}

async function stage(
  { database, plan: { archive }, registry, progress }: Parts,
  record: ExportRecord,
  providers: Providers,
) {
  const { db } = database
  const notes = createNotes(record.notes)
  const files = fileRulesOf(database, providers)
  const largest = await stageExport({ archive, registry, notes, files, progress }, db)
  const componentsFrom = rangesOf(largest, record.componentsAfter)
  await raiseSequences(db, largest, record.componentsAfter)
  return { stage: 'content', componentsFrom, notes: notes.list() } as const
}

async function write(
  { database, plan: { overview }, registry, progress }: Parts,
  record: ExportRecord,
  providers: Providers,
) {
  const { db } = database
  const notes = createNotes(record.notes)
  const files = fileRulesOf(database, providers)
  const defaultLocale = defaultLocaleOf(overview) ?? firstLocale.code
  const exportedAt = new Date(overview.exportedAt)
  const parts = { db, registry, record, notes, files, defaultLocale, exportedAt, progress }
  const mapped = await writeContent(parts)
  const { collectionName } = typeOf(registry, builtIn.locale)
  const isThere = await db.collection(collectionName).findOne({ code: defaultLocale })
  if (isThere !== null) await writeDefault(db, defaultLocale)
  return { stage: 'media', mapped, notes: notes.list() } as const
}

async function store(
  { database: { db, config }, plan: { archive }, progress }: Parts,
  record: ExportRecord,
  { chosen: storage }: Providers,
) {
  const notes = createNotes(record.notes)
  const sizeLimit = config.settings['upload.sizeLimit']
  const media = await writeAssets({ db, archive, notes, storage, sizeLimit, progress })
  return { stage: 'done', finishedAt: new Date(), media, notes: notes.list() } as const
}

const fileRulesOf = ({ config }: OpenDatabase, { chosen }: Providers): FileRules => ({
  deniedTypes: config.settings['upload.deniedTypes'],
  provider: chosen.name,
  url: chosen.url,
})
