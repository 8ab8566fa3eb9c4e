import type { Db } from 'mongodb'
import type { Config } from '../../server/settings/config.js'
import { planDefinitions } from '../import-runner/place-definitions.js'
import { runImport, type ImportOptions } from '../import-runner/run-import.js'
import type { OpenDatabase } from '../with-database.js'
import { withExclusive } from '../with-exclusive.js'
import { exportSource } from './export-source.js'
import type { Plan } from './plan.js'
import { reportOf, type ImportReport } from './report.js'
import { dropStaging } from './staging/staged.js'
import { typeOf } from '../../engine/schema/registry.js'
import { actionsOf } from '../../server/accounts/permission-actions.js'
import { convertRow } from './content/convert-row.js'
import type { ExportedEntity } from './archive/exported.js'
import { addMapped, type Mapped } from './export-record.js'
import { permissionUid, unknownAction } from './staging/place-link.js'
import { readExport } from './staging/stage-export.js'

export type RunOptions = ImportOptions &
  Readonly<{
    /** Changes neither the database nor the folder of definitions. */
    dryRun: boolean
    /** Called before anything is written. Throws if nothing may be. */
    refuse?: (db: Db) => Promise<void>
    /** Called when everything is imported. */
    afterwards?: (db: Db) => Promise<void>
  }>

/**
 * Imports by a plan, or only tries to.
 * @throws ArchiveError, ImportRefused, SchemaError
 */
export async function runPlan(
  config: Config,
  plan: Plan,
  options: RunOptions,
): Promise<ImportReport> {
  const { dryRun, replace, keepDefinitions, refuse, afterwards } = options
  if (dryRun) return tryImport(config, plan)
  const run = async (database: OpenDatabase): Promise<ImportReport> => {
    const { db } = database
    const of = keepDefinitions ? undefined : 'export'
    const definitions = await planDefinitions(config, db, plan.definitions, of)
    const source = exportSource({ database, plan, definitions, replace })
    const { record } = await runImport(database, source, replace)
    await dropStaging(db)
    await afterwards?.(db)
    return reportOf(plan, { ...record, state: 'imported' }, definitions)
  }
  return withExclusive('import-strapi', config, run, refuse)
}

/**
 * Reports what an import would do, without a database. Each row is converted by itself, so this does not find what takes
 * several rows: which version of a document a row is, and what its links lead to.
 */
async function tryImport(config: Config, plan: Plan): Promise<ImportReport> {
  const { overview, notes } = plan
  const compared = await planDefinitions(config, undefined, plan.definitions)
  const registry = compared.planned
  const deniedTypes = config.settings['upload.deniedTypes']
  // The provider decides only the addresses, which are not reported.
  const files = { deniedTypes, provider: '', url: (name: string) => name }
  const mapped: Record<string, Mapped> = {}
  const context = {
    registry,
    notes,
    referencesOf: () => [],
    componentIdOf: (_uid: string, id: number) => id,
  }
  const actions = new Set(actionsOf(registry).map(({ id }) => id))
  const row = ({ type: uid, id, data }: ExportedEntity): void => {
    if (uid === permissionUid) {
      const { action } = data
      if (typeof action === 'string' && !actions.has(action)) notes.leftOut(unknownAction(action))
      return
    }
    const type = typeOf(registry, uid)
    convertRow(type, data, id, context)
    const isDraft = type.draftAndPublish && (data.publishedAt ?? null) === null
    const one = { rows: 1, documents: 0, drafts: Number(isDraft), published: Number(!isDraft) }
    mapped[uid] = addMapped(one, mapped[uid])
  }
  const nowhere = () => undefined
  await readExport({ ...plan, registry, files }, { row, link: nowhere, asset: nowhere })
  const tried = { state: 'tried', mapped, media: overview.assets, notes: notes.list() } as const
  return reportOf(plan, tried, compared)
}
