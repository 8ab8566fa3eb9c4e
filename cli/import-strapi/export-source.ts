import type { Collection, Db } from 'mongodb'
import { componentSequence } from '../../engine/database/take-ids.js'
import { isComponentUid } from '../../engine/schema/names.js'
import { builtIn, typeOf, type Registry } from '../../engine/schema/registry.js'
import { legacyIds } from '../../server/content/legacy-ids.js'
import { writeDefault } from '../../server/locales/default-locale.js'
import type { Providers } from '../../server/upload/storage-provider.js'
import { createCheck, typesToCheck, withPatterns } from '../import-runner/check-versions.js'
import { clearTypes } from '../import-runner/clear-types.js'
import { findMade, madeAtStart } from '../import-runner/find-made.js'
import {
  openRegistry,
  placeDefinitions,
  storedRegistry,
  type DefinitionPlan,
} from '../import-runner/place-definitions.js'
import type { ImportSource, ImportStage } from '../import-runner/run-import.js'
import { onProgress } from '../progress.js'
import type { OpenDatabase } from '../with-database.js'
import { writeContent } from './content/write-content.js'
import type { Overview, Plan } from './export-overview.js'
import type { ExportRecord } from './export-record.js'
import type { FileRules } from './media/file-assets.js'
import { writeAssets } from './media/write-assets.js'
import { createNotes, type Notes } from './notes.js'
import { stageExport } from './staging/stage-export.js'
import { defaultLocaleOf } from './note-settings.js'
import { folderCollection, folderUid } from '../../server/upload/folders/folder-types.js'

type Given = Readonly<{
  database: OpenDatabase
  plan: Plan
  definitions: DefinitionPlan
  replace: boolean
}>

/** Returns an export of Strapi, or a source in the same format, as the source of an import. */
export function exportSource(given: Given): ImportSource<ExportRecord> {
  const { database, plan, definitions } = given
  const { db } = database
  const { id, rows } = plan.overview
  return {
    id,
    isSame: () => true,
    plan: () => ({
      covers: () => true,
      // The database may still contain collections of removed types, so include the types of the export.
      findContent: async () =>
        findMade(db, [await storedRegistry(db), definitions.planned], isReplacedBy(rows)),
      start: async (begun) => {
        await placeDefinitions(database, definitions)
        const registry = await openRegistry(database, definitions.exported)
        const record = begun ?? (await begin(given))
        return { record, registry, stages: stagesOf(given, registry) }
      },
    }),
  }
}

/**
 * Whether the import replaces all entries of a type. Exports contain no admins, so these are never replaced. Roles and
 * locales are only replaced if the export contains any.
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

type Step = Given &
  Readonly<{
    /** The types, including the folders of the media library. */
    registry: Registry
    record: ExportRecord
    providers: Providers
    notes: Notes
    files: FileRules
  }>

/**
 * Returns the stages of an import. Each saves its notes together with the progress, so that no note is reported twice.
 */
function stagesOf(given: Given, registry: Registry): readonly ImportStage<ExportRecord>[] {
  const deniedTypes = given.database.config.settings['upload.deniedTypes']
  return stages.map(([from, work]) => ({
    from,
    run: async (record, providers) => {
      const notes = createNotes(record.notes)
      const { name: provider, url } = providers.chosen
      const files = { deniedTypes, provider, url }
      const change = await work({ ...given, registry, record, providers, notes, files })
      return { ...change, notes: notes.list() }
    },
  }))
}

const stages = [
  ['clearing', clear],
  ['staging', stageRows],
  ['content', write],
  ['media', store],
] as const

/**
 * Removes the content that the export replaces, and the reserved documentIds of single types. Without `--replace`,
 * removes only the entries that a service creates at its first start: `findMade` has checked that there are no others.
 */
async function clear({ database, plan, definitions, registry, record, providers }: Step) {
  const { db } = database
  const { rows } = plan.overview
  const { replace } = record
  if (replace) onProgress('Removing the existing content')
  const isFirst = (uid: string): boolean => madeAtStart.has(uid) && rows.has(uid)
  await clearTypes(database, registry, providers, replace ? isReplacedBy(rows) : isFirst)
  if (replace) await legacyIds(db).deleteMany({})
  await db.collection('_singles').deleteMany({})
  // Create the unique indexes before the first row is written.
  await openRegistry(database, definitions.exported)
  return { stage: 'staging' } as const
}

async function stageRows({ database: { db }, plan, record: { componentsAfter }, ...rest }: Step) {
  const largest = await stageExport({ archive: plan.archive, ...rest }, db)
  // Give each component uid its own range of ids, because ids are only unique per uid in Strapi.
  const componentsFrom: Record<string, number> = {}
  let last = componentsAfter
  // New entries get ids above those of the export.
  const raise = (_id: string, value: number) =>
    sequences(db).updateOne({ _id }, { $max: { value } }, { upsert: true })
  for (const [uid, id] of [...largest].sort(([a], [b]) => (a < b ? -1 : 1)))
    if (isComponentUid(uid)) {
      componentsFrom[uid] = last
      last += id
    } else await raise(uid === folderUid ? folderCollection : uid, id)
  await raise(componentSequence, last)
  return { stage: 'content', componentsFrom } as const
}

async function write({ database: { db, config }, plan, definitions, registry, ...rest }: Step) {
  const { overview } = plan
  const defaultLocale = defaultLocaleOf(overview)
  const exportedAt = new Date(overview.exportedAt)
  const requiredRelations = config.settings['validation.requiredRelations']
  const types = typesToCheck(registry, definitions.differing)
  const mapped = await withPatterns(config, (checkPatterns) => {
    const check = createCheck(types, { registry, requiredRelations, checkPatterns })
    return writeContent({ db, registry, defaultLocale, exportedAt, check, ...rest })
  })
  const { collectionName } = typeOf(registry, builtIn.locale)
  const isThere = await db.collection(collectionName).findOne({ code: defaultLocale })
  if (isThere !== null) await writeDefault(db, defaultLocale)
  return { stage: 'media', mapped } as const
}

async function store({ database, plan: { archive }, registry, providers, notes }: Step) {
  const { db, config } = database
  const sizeLimit = config.settings['upload.sizeLimit']
  const storage = providers.chosen
  const media = await writeAssets({ db, registry, archive, notes, storage, sizeLimit })
  return { stage: 'done', finishedAt: new Date(), media } as const
}

/** The last number taken from each sequence. */
const sequences = (db: Db): Collection<{ _id: string; value: number }> =>
  db.collection('_sequences')
