import type { Db } from 'mongodb'
import type { Config } from '../../server/settings/config.js'
import { planDefinitions, refuseDifferences } from '../import-runner/place-definitions.js'
import { runImport, type ImportOptions } from '../import-runner/run-import.js'
import type { OpenDatabase } from '../with-database.js'
import { printReport } from '../print-json.js'
import { withExclusive } from '../with-exclusive.js'
import { exportSource } from './export-source.js'
import { preflight } from './preflight.js'
import type { Plan } from './export-overview.js'
import { reportOf, formatReport, type ImportReport } from './report.js'
import { dropStaging } from './staging/staged.js'
import { actionsOf } from '../../server/accounts/permission-actions.js'
import { createCheck, typesToCheck, withPatterns } from '../import-runner/check-versions.js'
import { createForecast } from './content/forecast.js'
import type { ExportedEntity } from './archive/exported.js'
import { permissionUid, unknownAction } from './staging/place-link.js'
import { readExport } from './staging/stage-export.js'
import { defaultLocaleOf, noteSettings } from './note-settings.js'

export type RunOptions = ImportOptions &
  Readonly<{
    /** Only reports what would be imported, without changing the database or the definitions. */
    dryRun: boolean
    json: boolean
    /** Called before anything is written. Throws if the import must not use this database. */
    refuse?: (db: Db) => Promise<void>
    /** Called after everything was imported. */
    afterwards?: (db: Db) => Promise<void>
  }>

/**
 * Runs an import or a dry run, and prints the report. Returns false if a dry run finds that the import would be
 * rejected.
 * @throws ArchiveError, SchemaError, or Error if the import is rejected
 */
export async function runPlan(config: Config, plan: Plan, options: RunOptions): Promise<boolean> {
  const { dryRun, json, refuse } = options
  noteSettings(plan.overview, plan.notes)
  const run = (database: OpenDatabase) => importPlan(database, plan, options)
  const report = dryRun
    ? await tryImport(config, plan, options)
    : await withExclusive('import-strapi', config, run, refuse)
  printReport(json, report, formatReport)
  return report.refused.length === 0
}

async function importPlan(
  database: OpenDatabase,
  plan: Plan,
  { replace, keepDefinitions, afterwards }: RunOptions,
): Promise<ImportReport> {
  const { db, config } = database
  const definitions = await planDefinitions(config, db, plan.definitions, 'export')
  if (!keepDefinitions) refuseDifferences(definitions.differences, 'export')
  const source = exportSource({ database, plan, definitions, replace })
  const { record, wasDone } = await runImport(database, source, replace)
  await dropStaging(db)
  await afterwards?.(db)
  return reportOf(plan, { ...record, state: 'imported', wasDone, refused: [] }, definitions)
}

/**
 * Reports what an import would do, or what an earlier import of the same export did. Less exact than an import: does
 * not look up the targets of relations, and also reports values of rows that an import would skip.
 */
async function tryImport(config: Config, plan: Plan, options: RunOptions): Promise<ImportReport> {
  const { overview, notes } = plan
  const { definitions, refused, unseen, done } = await preflight(config, plan, options)
  if (done !== undefined)
    return reportOf(plan, { ...done, state: 'imported', wasDone: true, refused }, definitions)
  const registry = definitions.planned
  const deniedTypes = config.settings['upload.deniedTypes']
  // The provider only affects URLs, which a dry run does not report.
  const files = { deniedTypes, provider: '', url: (name: string) => name }
  const defaultLocale = defaultLocaleOf(overview)
  const actions = actionsOf(registry)
  const nowhere = () => undefined
  const mapped = await withPatterns(config, async (checkPatterns) => {
    const types = typesToCheck(registry, definitions.differing)
    const check = createCheck(types, { registry, requiredRelations: false, checkPatterns })
    const forecast = createForecast({ registry, notes, files, defaultLocale, check })
    const row = (entity: ExportedEntity, documentId: string): Promise<void> | void => {
      if (entity.type !== permissionUid) return forecast.add(entity, documentId)
      const { action } = entity.data
      if (typeof action === 'string' && !actions.has(action)) notes.leftOut(unknownAction(action))
    }
    await readExport({ ...plan, registry, files }, { row, link: nowhere, asset: nowhere })
    return forecast.mapped()
  })
  const tried = { state: 'tried', mapped, media: overview.assets, notes: notes.list() } as const
  return reportOf(plan, { ...tried, refused, unseen }, definitions)
}
