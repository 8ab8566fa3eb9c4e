import { access, constants } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import { chooseDatabase, type DatabaseChoice } from './choose-database.js'
import { isEngineInstalled } from './embedded/native-engine.js'
import { startEmbeddedHost } from './embedded/embedded-host.js'
import { downloadMongod } from './mongod/download-mongod.js'
import { startMongodHost } from './mongod/mongod-host.js'
import type { OwnHostOptions } from './own-host.js'
import { thisSystem } from './system.js'

/** A running database of any kind. */
export type DatabaseHost = Readonly<{
  /** URI for clients on this machine. It may contain a password. */
  uri: string
  embedded: boolean
  /** Whether Quire started this database in `DATA_DIR`. If so, no other service uses it. */
  singleProcess: boolean
  /** How many times the database's process was restarted; 0 for an external database. */
  restarts(): number
  /** Records in `DATA_DIR` that it now belongs to this kind of database. Does nothing for an external one. */
  claim(): Promise<void>
  /** Stops the database's processes. Close all clients first. May be called again. */
  stop(): Promise<void>
}>

export type DatabaseHostOptions = OwnHostOptions &
  Readonly<{
    /** `MONGODB_URI`. If absent, a database is started in `DATA_DIR`. */
    uri?: string | undefined
    /** Setting `database.mongod`. If absent, the embedded engine is used. */
    mongod?: string | undefined
    /** Setting `database.download`: whether Quire may download a `mongod`. */
    download?: boolean | undefined
    /** Setting `database.downloadMirror`; default: MongoDB's own server. */
    downloadMirror?: string | undefined
  }>

/**
 * Starts the chosen database, unless it is external, and waits until it is ready. Throws an error with one line that
 * says why, and what to do.
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

/** Returns which database `startDatabaseHost` would use. */
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

const external = (uri: string): DatabaseHost =>
  Object.freeze({
    uri,
    embedded: false,
    singleProcess: false,
    restarts: () => 0,
    claim: nothing,
    stop: nothing,
  })

/** Returns the first program of this name in `PATH`. */
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
