import type { Db } from 'mongodb'
import { createRegistryFrom } from '../../engine/schema/define-registry.js'
import type { Config } from '../../server/settings/config.js'
import { withFolders } from '../../server/upload/folders/folder-types.js'
import { compareDefinitions, refuseDifferences } from '../import-runner/compare-definitions.js'
import { projectDefinitions } from '../import-runner/place-definitions.js'
import { runImport, type ImportOptions } from '../import-runner/run-import.js'
import type { OpenDatabase } from '../with-database.js'
import { withExclusive } from '../with-exclusive.js'
import { exportSource } from './export-source.js'
import type { Plan } from './plan.js'
import { reportOf, type ImportReport } from './report.js'
import { dropStaging } from './staging/staged.js'
import { tryImport } from './try-import.js'

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
  const { dryRun, replace, keepDefinitions, progress, refuse, afterwards } = options
  if (dryRun) return tryImport(config, plan, progress)
  const run = async (database: OpenDatabase): Promise<ImportReport> => {
    const { db } = database
    const there = await projectDefinitions(config, db)
    const { missing, differences } = compareDefinitions(plan.definitions, there)
    if (!keepDefinitions) refuseDifferences('export', differences)
    // Checks all definitions together before one of them is written.
    const planned = withFolders(createRegistryFrom([...there, ...missing], 0))
    const source = exportSource({ database, plan, missing, planned, replace, progress })
    const { record } = await runImport(database, source, replace)
    await dropStaging(db)
    await afterwards?.(db)
    return reportOf(plan, { ...record, state: 'imported' }, { missing, differences })
  }
  return withExclusive('import-strapi', config, run, refuse)
}
