import path from 'node:path'
import type { Db } from 'mongodb'
import { SchemaError } from '../../engine/schema/schema-error.js'
import { checkMarkedFormat } from '../../server/content-types/check-format.js'
import { DatabaseInUse } from '../../server/database/database-in-use.js'
import { refuseHalfCopied } from '../../server/database/half-copied.js'
import { chooseHost } from '../../server/database/host.js'
import { hostOptions } from '../../server/database/host-options.js'
import { isFolder } from '../../server/project/safe-folder.js'
import { refuseExclusive, refuseOthers } from '../../server/repair/exclusive.js'
import { findRunning } from '../../server/repair/heartbeat.js'
import type { Config } from '../../server/settings/config.js'
import { planDefinitions, type DefinitionPlan } from '../import-runner/place-definitions.js'
import { checkImport, type ImportOptions } from '../import-runner/run-import.js'
import { withDatabase, type OpenDatabase } from '../with-database.js'
import type { ExportRecord } from './export-record.js'
import { exportSource } from './export-source.js'
import type { Plan } from './export-overview.js'

/** The results of the checks that a dry run makes before it reads the rows. */
type PreflightResult = Readonly<{
  definitions: DefinitionPlan
  /** Why the import would be rejected. Empty if it would be accepted. */
  refused: readonly string[]
  /** A finished import of the same export. Absent if `--replace` was given. */
  done?: ExportRecord | undefined
  /** Why the database could not be checked. Absent if it was checked. */
  unseen?: string
}>

type PreflightOptions = ImportOptions & Readonly<{ refuse?: (db: Db) => Promise<void> }>

/** Makes the checks that an import makes before it writes. Changes nothing. */
export async function preflight(
  config: Config,
  plan: Plan,
  options: PreflightOptions,
): Promise<PreflightResult> {
  const check = (database?: OpenDatabase) => checkAll(config, plan, options, database)
  const choice = await chooseHost(hostOptions(config))
  if (choice.kind === 'none') return refusedBy(await check(), choice.why)
  const isExternal = choice.kind === 'external'
  const folder = path.join(config.dataDir, choice.kind === 'embedded' ? 'database' : 'mongod')
  // Opening a database that does not exist would create its folder.
  if (!isExternal && !(await isFolder(folder))) return check()
  let isOpen = false
  try {
    return await withDatabase(
      'import-strapi',
      (database) => {
        isOpen = true
        return check(database)
      },
      config,
    )
  } catch (error) {
    if (error instanceof DatabaseInUse) return refusedBy(await check(), error.message)
    if (!isExternal || isOpen || error instanceof SchemaError) throw error
    return { ...(await check()), unseen: (error as Error).message }
  }
}

const refusedBy = (result: PreflightResult, why: string): PreflightResult => ({
  ...result,
  refused: [...result.refused, why],
})

/** Throws a `SchemaError` if the definitions of the export contradict those of the project. */
async function checkAll(
  config: Config,
  plan: Plan,
  { replace, keepDefinitions, refuse }: PreflightOptions,
  database: OpenDatabase | undefined,
): Promise<PreflightResult> {
  const definitions = await planDefinitions(config, database?.db, plan.definitions, 'export')
  const refused: string[] = []
  const attempt = <T>(run: Promise<T>): Promise<T | undefined> =>
    run.catch((error: Error) => void refused.push(error.message))
  if (!keepDefinitions && definitions.differences.length > 0) refused.push(differs)
  if (database === undefined) return { definitions, refused }
  const { db } = database
  await attempt(refuseHalfCopied(db))
  if (refuse !== undefined) await attempt(refuse(db))
  if (!database.singleProcess) {
    await attempt(refuseExclusive(db))
    await attempt(findRunning(db).then(refuseOthers))
  }
  await attempt(checkMarkedFormat(db))
  const source = exportSource({ database, plan, definitions, replace })
  const checked = await attempt(checkImport(db, source, replace))
  return { definitions, refused, done: checked && 'done' in checked ? checked.done : undefined }
}

const differs =
  'Definitions of the export differ from those of this project. Make them equal, or use those of this project (--keep-definitions)'
