import type { Db } from 'mongodb'
import { loadConfig } from '../../server/settings/config.js'
import { fromEnvironment } from '../from-environment.js'
import { ImportRefused } from '../import-refused.js'
import { tellReport } from '../import-strapi/report.js'
import { printJson } from '../print-json.js'
import { clearProgress, onProgress } from '../progress.js'
import { runImportV3, type ImportV3Options } from './run-import-v3.js'
import { writeMap } from './write-map.js'

type Options = Omit<ImportV3Options, 'uri' | 'progress' | 'refuse' | 'afterwards'> &
  Readonly<{ map?: string; json: boolean }>

/** Imports, writes which id became which, and tells what became of it. */
export async function importStrapiV3(
  uri: string,
  { map, json, ...options }: Options,
): Promise<void> {
  const given: ImportV3Options = {
    ...options,
    uri: fromEnvironment(uri),
    progress: onProgress,
    refuse: refuseItself,
    ...(map === undefined ? {} : { afterwards: (db) => writeMap(db, map) }),
  }
  const report = await runImportV3(loadConfig(), given).finally(clearProgress)
  if (json) printJson(report)
  else console.log(tellReport(report))
}

/** Collections of the two have the same names. */
async function refuseItself(db: Db): Promise<void> {
  if ((await db.listCollections({ name: 'core_store' }).toArray()).length === 0) return
  throw new ImportRefused(
    'The database of the service is that of a Strapi 3 (it has a core_store): give the service one of its own (MONGODB_URI)',
  )
}
