import type { Db } from 'mongodb'
import type { Config } from '../../server/settings/config.js'
import { planDefinitions, refuseDifferences } from '../import-runner/place-definitions.js'
import { runImport, type ImportOptions } from '../import-runner/run-import.js'
import type { OpenDatabase } from '../with-database.js'
import { printReport } from '../print-json.js'
import { withExclusive } from '../with-exclusive.js'
import { findUnusedSamples } from '../init/sample-types.js'
import { exportSource } from './export-source.js'
import { lookBefore } from './look-before.js'
import type { Plan } from './export-overview.js'
import { reportOf, tellReport, type ImportReport } from './report.js'
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
    json: boolean
    /** Called before anything is written. Throws if nothing may be. */
    refuse?: (db: Db) => Promise<void>
    /** Called when everything is imported. */
    afterwards?: (db: Db) => Promise<void>
  }>

/**
 * Imports by a plan, or only tries to, and prints what became of it.
 * @returns false if a dry run finds that the import would be refused
 * @throws ArchiveError, SchemaError, or Error if it is refused
 */
export async function runPlan(config: Config, plan: Plan, options: RunOptions): Promise<boolean> {
  const { dryRun, json, refuse } = options
  const run = (database: OpenDatabase) => importPlan(database, plan, options)
  const report = dryRun
    ? await tryImport(config, plan, options)
    : await withExclusive('import-strapi', config, run, refuse)
  printReport(json, report, tellReport)
  return report.refused.length === 0
}

async function importPlan(
  database: OpenDatabase,
  plan: Plan,
  { replace, keepDefinitions, afterwards }: RunOptions,
): Promise<ImportReport> {
  const { db, config } = database
  const definitions = await planDefinitions(config, db, plan.definitions, findUnusedSamples)
  if (!keepDefinitions) refuseDifferences(definitions.differences, 'export')
  const source = exportSource({ database, plan, definitions, replace })
  const { record, wasDone } = await runImport(database, source, replace)
  await dropStaging(db)
  await afterwards?.(db)
  return reportOf(plan, { ...record, state: 'imported', wasDone, refused: [] }, definitions)
}

/**
 * Reports what an import would do, or what a finished one did, and changes nothing. Each row is converted by itself, so
 * this does not find what takes several rows: which version of a document a row is, and what its links lead to.
 */
async function tryImport(config: Config, plan: Plan, options: RunOptions): Promise<ImportReport> {
  const { overview, notes } = plan
  const { definitions, refused, unseen, done } = await lookBefore(config, plan, options)
  if (done !== undefined)
    return reportOf(plan, { ...done, state: 'imported', wasDone: true, refused }, definitions)
  const registry = definitions.planned
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
  const actions = actionsOf(registry)
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
  return reportOf(plan, { ...tried, refused, unseen }, definitions)
}
