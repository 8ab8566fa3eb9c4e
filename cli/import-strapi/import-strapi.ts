import { loadConfig } from '../../server/settings/config.js'
import { fromEnvironment } from '../from-environment.js'
import { printJson } from '../print-json.js'
import { clearProgress, onProgress } from '../progress.js'
import { tellReport } from './report.js'
import { runImport, type ImportOptions } from './run-import.js'

/** Imports, and tells what became of it. */
export async function importStrapi(
  file: string,
  { key, json, ...options }: Omit<ImportOptions, 'file' | 'progress'> & Readonly<{ json: boolean }>,
): Promise<void> {
  const given = { ...options, file, key: key && fromEnvironment(key), progress: onProgress }
  const report = await runImport(loadConfig(), given).finally(clearProgress)
  if (json) printJson(report)
  else console.log(tellReport(report))
}
