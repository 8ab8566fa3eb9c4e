import type { Logger } from 'pino'
import { startEmbeddedHost } from './embedded/embedded-host.js'
import type { EngineMemory } from './embedded/engine-messages.js'
import { externalHost } from './external.js'

/** Where the database is. Nothing outside this folder knows more about it. */
export type DatabaseHost = Readonly<{
  /** What `connectDatabase` takes, in this process and in others of this machine. */
  uri: string
  /** Whether the database is the embedded engine. */
  embedded: boolean
  /** Ends what was started; close the clients before. It can be called again. */
  stop(): Promise<void>
}>

export type DatabaseHostOptions = Readonly<{
  /** `MONGODB_URI`; without it the embedded engine is started. */
  uri?: string | undefined
  /** `DATA_DIR`; the embedded engine keeps its files in `database` below it. */
  dataDir: string
  /** `database.cacheSize` and `database.sortMemory`, for the embedded engine. */
  memory?: EngineMemory | undefined
  log: Logger
  /** How often the embedded engine is asked whether it lives, in ms; for tests. */
  askEveryMs?: number | undefined
}>

/** An ordinary MongoDB where a URI is given, else the embedded engine, started and ready. */
export async function startDatabaseHost(options: DatabaseHostOptions): Promise<DatabaseHost> {
  if (options.uri) return externalHost(options.uri)
  return startEmbeddedHost(options)
}
