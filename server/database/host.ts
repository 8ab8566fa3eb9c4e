import { access, constants } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import { chooseDatabase, type DatabaseChoice } from './choose-database.js'
import { isEngineInstalled } from './embedded/native-engine.js'
import { startEmbeddedHost } from './embedded/embedded-host.js'
import { downloadMongod } from './mongod/download-mongod.js'
import { startMongodHost } from './mongod/mongod-host.js'
import type { OwnHostOptions } from './own-host.js'
import { thisSystem } from './system.js'

/** The running database. Code outside this folder does not depend on which kind of database it is. */
export type DatabaseHost = Readonly<{
  /**
   * URI to pass to `connectDatabase`, in this process or another process on this machine. It may contain a password.
   */
  uri: string
  /** Whether the database is the embedded engine. */
  embedded: boolean
  /** Whether Quire itself started this database in `DATA_DIR`. If so, no service other than this one uses it. */
  alone: boolean
  /** How often the process of the database was restarted; 0 for an external database. */
  restarts(): number
  /**
   * Records in `DATA_DIR` that it belongs to this kind of database from now on. Does nothing for an external database.
   */
  claim(): Promise<void>
  /** Stops the processes that Quire started for the database. Close all clients first. Further calls are allowed. */
  stop(): Promise<void>
}>

export type DatabaseHostOptions = OwnHostOptions &
  Readonly<{
    /** The environment variable `MONGODB_URI`. If absent, a database is started in `DATA_DIR`. */
    uri?: string | undefined
    /** The setting `database.mongod`. If absent, the embedded engine is used. */
    mongod?: string | undefined
    /** The setting `database.download`: whether Quire may download a `mongod`. */
    download?: boolean | undefined
    /** The setting `database.downloadMirror`. If absent, `mongod` is downloaded from MongoDB's own server. */
    downloadMirror?: string | undefined
  }>

/**
 * Starts the embedded engine or a managed MongoDB, and waits until the database is ready. With a URI, returns the
 * external MongoDB without starting anything. If the start fails, throws an error with a one-line message that says
 * why, and what to do.
 */
export async function startDatabaseHost(options: DatabaseHostOptions): Promise<DatabaseHost> {
  const choice = await chooseHost(options)
  switch (choice.kind) {
    case 'external':
      return external(choice.uri)
    case 'embedded':
      return startEmbeddedHost(options)
    case 'mongod':
      return startMongodHost(choice.program, options)
    case 'download':
      return startMongodHost(await downloadMongod(options), options)
    case 'none':
      throw new Error(choice.why)
  }
}

/** Returns which database `startDatabaseHost` would use with these options on this machine. */
export async function chooseHost({
  uri,
  mongod = '',
  download = false,
}: Pick<DatabaseHostOptions, 'uri' | 'mongod' | 'download'>): Promise<DatabaseChoice> {
  const onPath = mongod === 'auto' ? await findOnPath('mongod') : undefined
  const hasEngine = isEngineInstalled()
  return chooseDatabase({ uri, mongod, download, onPath, hasEngine }, thisSystem())
}

const nothing = async (): Promise<void> => {}

/** An external MongoDB, which Quire neither starts nor stops. */
const external = (uri: string): DatabaseHost =>
  Object.freeze({
    uri,
    embedded: false,
    alone: false,
    restarts: () => 0,
    claim: nothing,
    stop: nothing,
  })

/** Returns the path of the first program with this name in the folders of `PATH`. */
export async function findOnPath(program: string): Promise<string | undefined> {
  const name = process.platform === 'win32' ? `${program}.exe` : program
  for (const folder of (process.env.PATH ?? '').split(delimiter).filter(Boolean)) {
    const path = resolve(join(folder, name))
    const runs = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (runs) return path
  }
  return undefined
}
