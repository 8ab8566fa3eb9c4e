import { loadConfig } from '../../server/settings/config.js'
import { fromEnvironment } from '../from-environment.js'
import { onProgress } from '../progress.js'
import { openArchive } from './archive/open-archive.js'
import { exportedDefinitions } from './exported-definitions.js'
import { readOverview } from './export-overview.js'
import { createNotes } from './notes.js'
import { runPlan, type RunOptions } from './run-plan.js'

/**
 * Imports the result of `strapi export`. Continues an interrupted import of the same archive.
 * @returns false if a dry run finds that the import would be rejected
 * @throws ArchiveError, SchemaError, or Error if the import is rejected
 */
export async function importStrapi(
  file: string,
  { key, ...options }: RunOptions & Readonly<{ key?: string }>,
): Promise<boolean> {
  const config = loadConfig()
  onProgress('Reading the export')
  const archive = await openArchive(file, key && fromEnvironment(key))
  const notes = createNotes()
  const overview = await readOverview(archive, notes)
  const definitions = exportedDefinitions(overview.schemas, notes)
  return runPlan(config, { archive, overview, notes, definitions, neverIncluded }, options)
}

/** Data that `strapi export` does not write. Each line also says what to do about it. */
const neverIncluded = [
  'admins with their passwords, roles and permissions: set ADMIN_EMAIL and ADMIN_PASSWORD for the first admin, who can invite others',
  'API tokens and transfer tokens: create new ones',
  'secrets and keys, such as those in .env: users must log in again',
  'code, config/ and .env: run `quire check DIR` on the project to see their replacements',
  'releases and audit logs',
]
