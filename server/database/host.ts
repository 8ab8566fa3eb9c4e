import { access, constants } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import { chooseDatabase, type DatabaseChoice } from './choose-database.js'
import { isEngineInstalled } from './embedded/native-engine.js'
import { startEmbeddedHost } from './embedded/embedded-host.js'
import { downloadMongod } from './mongod/download-mongod.js'
import { startMongodHost } from './mongod/mongod-host.js'
import type { OwnHostOptions } from './own-host.js'
import { thisSystem } from './system.js'

/** Where the database is. Nothing outside this folder knows more about it. */
export type DatabaseHost = Readonly<{
  /** What `connectDatabase` takes, in this process and in others of this machine. It may hold a password. */
  uri: string
  /** Whether the database is the embedded engine. */
  embedded: boolean
  /** Whether no other process can run over this database: Quire has started it for itself, in `DATA_DIR`. */
  alone: boolean
  /** How often its process was started again; 0 where others run it. */
  restarts(): number
  /** Notes that the content of `DATA_DIR` is in this database from now on; nothing where it is elsewhere. */
  claim(): Promise<void>
  /** Ends what was started; close the clients before. It can be called again. */
  stop(): Promise<void>
}>

export type DatabaseHostOptions = OwnHostOptions &
  Readonly<{
    /** `MONGODB_URI`; without it a database is started in `DATA_DIR`. */
    uri?: string | undefined
    /** `database.mongod`; absent: the embedded engine. */
    mongod?: string | undefined
    /** `database.download`. */
    download?: boolean | undefined
    /** `database.downloadMirror`; absent: MongoDB's own. */
    downloadMirror?: string | undefined
  }>

/**
 * An ordinary MongoDB where a URI is given, else the embedded engine or a MongoDB that is looked after, started and
 * ready. Throws one line that says why not, and what to do.
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

/** Which database a start with these options would use on this machine. */
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

/** A MongoDB that others run: there is nothing to start and nothing to stop. */
const external = (uri: string): DatabaseHost =>
  Object.freeze({
    uri,
    embedded: false,
    alone: false,
    restarts: () => 0,
    claim: nothing,
    stop: nothing,
  })

/** The first program of a name in the folders of `PATH`. */
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
