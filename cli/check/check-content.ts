import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { SchemaError } from '../../engine/schema/schema-error.js'
import type { SchemaDifference } from '../../server/content-types/compare-files.js'
import { effectLines } from '../../server/content-types/schema-effects.js'
import type { Config } from '../../server/settings/config.js'
import { NoCredentials, ownServiceOf } from '../admin-service.js'
import { compareSchema, UnusableDatabase } from '../schema/compare-schema.js'

/** The effects of a start on the content of the project's database. */
export type ContentReport = Readonly<{
  /** One line for each effect of the definitions on content. */
  effects: readonly string[]
  /** The reason why content prevents the start. */
  problem?: string
  /**
   * The reason why content was not checked, although a start depends on it: there are no credentials for the service.
   */
  unseen?: string
  /** The reason why content could not be read, so it is unknown whether content allows a start. */
  failed?: string
  /** The reason why the folder's database is unknown. */
  elsewhere?: string
}>

/**
 * Compares the project's definitions with those of the database that a start would use. If a service has opened that
 * database, asks the service. Returns undefined if there is no database yet, or if the project has no definitions.
 */
export async function checkContent(
  name: string,
  config: Config,
): Promise<ContentReport | undefined> {
  const { schemaDir, mongodbUri } = config
  if (schemaDir === undefined || (mongodbUri === undefined && !(await hasData(config))))
    return undefined
  try {
    const remote = await ownServiceOf(config)
    return contentOf(await compareSchema(schemaDir, { name, config, remote }))
  } catch (error) {
    if (error instanceof SchemaError || error instanceof UnusableDatabase)
      return { effects: [], problem: error.message }
    const reason = error instanceof Error ? error.message : String(error)
    return { effects: [], [error instanceof NoCredentials ? 'unseen' : 'failed']: reason }
  }
}

function contentOf({ state, effects, problem }: SchemaDifference): ContentReport {
  if (state === 'older') return { effects: [older] }
  return { effects: effectLines(effects), ...(problem !== undefined && { problem }) }
}

const older = 'The database has newer definitions. A start serves those, or stops (schema.onOlder)'

/** Whether `DATA_DIR` contains a database of either kind. */
async function hasData({ dataDir }: Config): Promise<boolean> {
  const there = (folder: string): Promise<boolean> =>
    access(join(dataDir, folder)).then(
      () => true,
      () => false,
    )
  return (await there('database')) || there('mongod')
}
