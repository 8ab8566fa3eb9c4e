import { join } from 'node:path'
import { messageOf } from '../../engine/errors/message-of.js'
import { SchemaError } from '../../engine/schema/schema-error.js'
import { effectLines } from '../../server/content-types/schema-effects.js'
import { isFolder } from '../../server/project/safe-folder.js'
import type { Config } from '../../server/settings/config.js'
import { NoCredentials, ownServiceOf } from '../admin-service.js'
import { compareSchema, UnusableDatabase } from '../schema/compare-schema.js'

/** The effects of the project's definitions on its stored content when the service starts. */
export type ContentReport = Readonly<{
  effects: readonly string[]
  /** Why stored content would prevent the service from starting. */
  problem?: string
  /** Why stored content was not checked: the running service requires credentials, and none are given. */
  unseen?: string
  /** Why stored content could not be read. It is then unknown whether the service would start. */
  failed?: string
  /** Why it is unknown which database the service would use with the checked folder. */
  elsewhere?: string
}>

/**
 * Compares the project's definitions with those in the database that the service would use. If a running service has
 * opened that database, makes the comparison through that service. Returns undefined without a database or without
 * definitions.
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
    const options = { name, config, remote }
    const { state, effects, problem } = await compareSchema(schemaDir, options)
    if (state === 'older') return { effects: [older] }
    return { effects: effectLines(effects), ...(problem !== undefined && { problem }) }
  } catch (error) {
    if (error instanceof SchemaError || error instanceof UnusableDatabase)
      return { effects: [], problem: error.message }
    const reason = messageOf(error)
    return { effects: [], [error instanceof NoCredentials ? 'unseen' : 'failed']: reason }
  }
}

const older =
  'The database has newer definitions. The setting schema.onOlder decides what a start does'

/** Whether `DATA_DIR` contains a database of the embedded engine or of a `mongod`. */
const hasData = async ({ dataDir }: Config): Promise<boolean> =>
  (await isFolder(join(dataDir, 'database'))) || isFolder(join(dataDir, 'mongod'))
