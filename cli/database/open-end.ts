import { join } from 'node:path'
import type { Logger } from 'pino'
import { connectDatabase } from '../../server/database/connect.js'
import { startDatabaseHost } from '../../server/database/host.js'
import { hostOptions } from '../../server/database/host-options.js'
import { refuseExclusive } from '../../server/repair/exclusive.js'
import type { Config } from '../../server/settings/config.js'

/** A database: `embedded`, `mongod`, a URI, or `env:NAME` for a URI in a variable. Default: the project's database. */
type EndName = string | undefined

/**
 * Opens the source or the target of a copy. Starts an engine that stores its data in `DATA_DIR`. Throws if a service is
 * using that data.
 * @param isTarget whether this is the target; the marker file in `DATA_DIR` may then name another engine, because it
 * only changes when the copy is complete
 */
export async function openEnd(config: Config, name: EndName, log: Logger, isTarget: boolean) {
  const { uri, mongod = '' } = resolveEnd(config, name)
  const host = await startDatabaseHost({
    ...hostOptions(config),
    uri,
    mongod,
    log,
    claims: !isTarget,
  })
  try {
    const client = await connectDatabase(host.uri, { appName: 'quire database copy' })
    if (isTarget && !host.singleProcess) await refuseExclusive(client.db())
    return {
      db: client.db(),
      name: shownEnd(config.dataDir, uri, mongod, client.db().databaseName),
      singleProcess: host.singleProcess,
      /** Writes the engine's name to the marker file in `DATA_DIR`. Does nothing for an external database. */
      claim: host.claim,
      close: async (): Promise<void> => {
        await client.close()
        await host.stop()
      },
    }
  } catch (error) {
    await host.stop()
    throw error
  }
}

/** Returns the URI or the engine that a name stands for. Throws if the name is invalid. */
export function resolveEnd(
  { mongodbUri, settings }: Pick<Config, 'mongodbUri' | 'settings'>,
  name: EndName,
  env: Readonly<Record<string, string | undefined>> = process.env,
) {
  const chosen = settings['database.mongod']
  if (name === undefined) return { uri: mongodbUri, mongod: chosen }
  if (name === 'embedded') return { mongod: '' }
  if (name === 'mongod') return { mongod: chosen === '' ? 'auto' : chosen }
  const variable = /^env:(\w+)$/.exec(name)?.[1]
  const uri = variable === undefined ? name : (env[variable] ?? '')
  if (/^mongodb(\+srv)?:\/\/./.test(uri)) return { uri }
  throw new Error(
    variable === undefined
      ? '--from and --to must be `embedded`, `mongod`, a URI that begins with mongodb://, or `env:NAME` for a URI in the environment.'
      : `The environment variable ${variable} does not contain a URI.`,
  )
}

function shownEnd(dataDir: string, uri: string | undefined, mongod: string, db: string): string {
  if (uri === undefined)
    return `the database in ${join(dataDir, mongod === '' ? 'database' : 'mongod')}`
  const hosts = /^[a-z+]+:\/\/(?:[^/@]*@)?([^/?]*)/i.exec(uri)?.[1] ?? ''
  return `the database ${db} at ${hosts}`
}
