import type { Config } from '../../server/settings/config.js'
import { openArchive } from './archive/open-archive.js'
import { exportedDefinitions } from './definitions/exported-definitions.js'
import { createNotes } from './notes.js'
import { readOverview } from './overview.js'
import type { ImportReport } from './report.js'
import { runPlan, type RunOptions } from './run-plan.js'
import { tellSettings } from './told-settings.js'

export type ImportOptions = RunOptions & Readonly<{ file: string; key?: string | undefined }>

/**
 * Imports what `strapi export` wrote. One that was cut off goes on where it was when it is run again, with the same
 * archive.
 * @throws ArchiveError, ImportRefused, SchemaError
 */
export async function runImport(config: Config, options: ImportOptions): Promise<ImportReport> {
  const { file, key, progress } = options
  progress('Reading the export')
  const archive = await openArchive(file, key)
  const notes = createNotes()
  const overview = await readOverview(archive, notes)
  const definitions = exportedDefinitions(overview.schemas, notes)
  tellSettings(overview, notes)
  return runPlan(config, { archive, overview, notes, definitions }, options)
}
