import type { Db } from 'mongodb'
import { createRegistryFrom } from '../../engine/schema/define-registry.js'
import type { Config } from '../../server/settings/config.js'
import { withFolders } from '../../server/upload/folders/folder-types.js'
import type { OpenDatabase } from '../with-database.js'
import { withExclusive } from '../with-exclusive.js'
import { compareDefinitions } from './definitions/compare-definitions.js'
import { projectDefinitions } from './definitions/place-definitions.js'
import { importInto } from './import-into.js'
import type { Plan } from './plan.js'
import type { ImportReport } from './report.js'
import { tryImport } from './try-import.js'

export type RunOptions = Readonly<{
  /** Neither the database nor the folder of definitions is touched. */
  dryRun: boolean
  /** What is there before is taken away. */
  replace: boolean
  /** Where definitions differ, those of the project count. */
  keepDefinitions: boolean
  progress: (what: string) => void
  /** Asked before anything is written; throws where it is not to be. */
  refuse?: (db: Db) => Promise<void>
  /** Told of the database when all is there. */
  afterwards?: (db: Db) => Promise<void>
}>

/**
 * Imports what is known well enough, wherever it comes from.
 * @throws ArchiveError, ImportRefused, SchemaError
 */
export async function runPlan(
  config: Config,
  plan: Plan,
  options: RunOptions,
): Promise<ImportReport> {
  const { dryRun, progress, refuse, afterwards } = options
  if (dryRun) return tryPlan(config, plan, progress)
  const run = async (database: OpenDatabase): Promise<ImportReport> => {
    const report = await importInto(database, plan, options)
    await afterwards?.(database.db)
    return report
  }
  return withExclusive('import-strapi', config, run, refuse)
}

async function tryPlan(
  config: Config,
  plan: Plan,
  progress: RunOptions['progress'],
): Promise<ImportReport> {
  const there = await projectDefinitions(config)
  const { missing, differences } = compareDefinitions(plan.definitions, there)
  const registry = withFolders(createRegistryFrom([...there, ...missing], 0))
  const deniedTypes = config.settings['upload.deniedTypes']
  // Where files go decides about their addresses alone.
  const files = { deniedTypes, provider: '', url: (name: string) => name }
  return tryImport({ ...plan, registry, missing, differences, files, progress })
}
