import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from 'mongodb'
import { lineOf, SchemaError } from '../../engine/schema/schema-error.js'
import { checkMarkedFormat } from '../../server/content-types/check-format.js'
import { compareFiles } from '../../server/content-types/compare-files.js'
import { readDefinitions } from '../../server/content-types/definition-store.js'
import { sourced } from '../../server/content-types/merge-definitions.js'
import { readSchemaFiles } from '../../server/content-types/schema-files.js'
import { refuseHalfImported } from '../../server/database/half-imported.js'
import { unfinished } from '../../server/content-types/store.js'
import { DatabaseInUse } from '../../server/database/database-in-use.js'
import { ownCommand } from '../../server/settings/own-command.js'
import type { Config } from '../../server/settings/config.js'
import { withDatabase } from '../with-database.js'

/** Lists the effects of a start on the content of the project's database. */
export type ContentReport = Readonly<{
  /** Lines of what its definitions do to content. */
  effects: readonly string[]
  /** Why content keeps it from starting. */
  problem?: string
  /** Why content was not looked at, which a start would meet. */
  unseen?: string
  /** Why there is no such content. */
  elsewhere?: string
}>

/**
 * Opens the database that a start would use, and compares its definitions with those of the project; undefined where
 * there is no database yet, or there are no definitions beside its own.
 */
export async function lookAtContent(
  name: string,
  config: Config,
): Promise<ContentReport | undefined> {
  const { schemaDir, mongodbUri } = config
  if (schemaDir === undefined || (mongodbUri === undefined && !(await hasData(config))))
    return undefined
  try {
    return await withDatabase(
      name,
      async ({ db }) => {
        const unusable = await whyUnusable(db)
        if (unusable !== undefined) return { effects: [], problem: unusable }
        const { definitions, converting } = await readDefinitions(db)
        const before = definitions.map(sourced)
        const customFields = config.settings['schema.customFields']
        const files = await readSchemaFiles(schemaDir, { customFields, before })
        const hidden = config.settings['api.responses.privateAttributes']
        const { state, effects } = await compareFiles(db, files, hidden)
        if (state === 'new' && converting !== undefined)
          return { effects: [], problem: unfinished(converting) }
        return { effects: state === 'older' ? [older] : effects.map(lineOf) }
      },
      config,
    )
  } catch (error) {
    if (error instanceof SchemaError) return { effects: [], problem: error.message }
    if (error instanceof DatabaseInUse)
      return { effects: [], unseen: `another process has the database. ${askService}` }
    return { effects: [], unseen: error instanceof Error ? error.message : String(error) }
  }
}

const askService = `Where it is a running service, ${ownCommand('schema diff')} asks it`

/** Returns why a start would refuse the database: another storage format, or an unfinished import. */
const whyUnusable = (db: Db): Promise<string | undefined> =>
  checkMarkedFormat(db)
    .then(() => refuseHalfImported(db))
    .then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )

const older =
  'The database has seen newer definitions than these: a start serves those, or stops (schema.onOlder)'

/** Whether `DATA_DIR` holds a database of either kind. */
async function hasData({ dataDir }: Config): Promise<boolean> {
  const there = (folder: string): Promise<boolean> =>
    access(join(dataDir, folder)).then(
      () => true,
      () => false,
    )
  return (await there('database')) || there('mongod')
}
