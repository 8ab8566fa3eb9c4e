import { loadConfig } from '../../server/settings/config.js'
import { fromEnvironment } from '../from-environment.js'
import { printReport } from '../print-json.js'
import { clearProgress, onProgress } from '../progress.js'
import { openArchive } from './archive/open-archive.js'
import { exportedDefinitions } from './exported-definitions.js'
import { readOverview } from './export-overview.js'
import { createNotes } from './notes.js'
import { tellReport, type ImportReport } from './report.js'
import { runPlan, type RunOptions } from './run-plan.js'
import { tellSettings } from './told-settings.js'

export type ImportStrapiOptions = RunOptions & Readonly<{ key?: string; json: boolean }>

/** Imports, and tells what became of it. */
export async function importStrapi(file: string, options: ImportStrapiOptions): Promise<void> {
  const report = await runImport(file, options).finally(clearProgress)
  printReport(options.json, report, tellReport)
}

/**
 * Imports what `strapi export` wrote. Continues an interrupted import of the same archive.
 * @throws ArchiveError, ImportRefused, SchemaError
 */
async function runImport(
  file: string,
  { key, ...options }: ImportStrapiOptions,
): Promise<ImportReport> {
  const config = loadConfig()
  onProgress('Reading the export')
  const archive = await openArchive(file, key && fromEnvironment(key))
  const notes = createNotes()
  const overview = await readOverview(archive, notes)
  const definitions = exportedDefinitions(overview.schemas, notes)
  tellSettings(overview, notes)
  return runPlan(config, { archive, overview, notes, definitions }, options)
}
