import type { System } from './system.js'
import { embeddedSupport, adviceWithoutEngine } from './system.js'

/** The inputs for the choice of a database: the settings, and which databases are installed. */
export type DatabaseChoiceInputs = Readonly<{
  /** The environment variable `MONGODB_URI`. */
  uri?: string | undefined
  /** The setting `database.mongod`: the path of a `mongod`, `auto`, or empty. */
  mongod: string
  /** The setting `database.download`: whether Quire may download a `mongod`. */
  download: boolean
  /** Path of the `mongod` found through `PATH`. */
  onPath?: string | undefined
  /** Whether npm installed the embedded engine's package, an optional dependency. */
  hasEngine: boolean
}>

/** The database to use. For `none`, `why` says why no database can be used, and what to set. */
export type DatabaseChoice =
  | Readonly<{ kind: 'external'; uri: string }>
  | Readonly<{ kind: 'embedded' }>
  | Readonly<{ kind: 'mongod'; program: string }>
  | Readonly<{ kind: 'download' }>
  | Readonly<{ kind: 'none'; why: string }>

/**
 * Chooses the database: an external MongoDB if a URI is set, otherwise a managed MongoDB if `database.mongod` is set,
 * otherwise the embedded engine. A managed MongoDB is downloaded only if `database.download` is true.
 */
export function chooseDatabase(wish: DatabaseChoiceInputs, system: System): DatabaseChoice {
  const { uri, mongod, download, onPath, hasEngine } = wish
  if (uri !== undefined && uri !== '') return { kind: 'external', uri }
  if (mongod === '') {
    const support = embeddedSupport(system)
    if (support.kind !== 'none' && hasEngine) return { kind: 'embedded' }
    const remedy = adviceWithoutEngine(system.platform)
    if (support.kind === 'none')
      return none(`The embedded database cannot run here: ${support.reason}. ${remedy}`)
    return none(
      'There is no database. The embedded one is not installed, because npm leaves it out with --omit=optional. ' +
        `${remedy} To install the embedded one: npm install --include=optional`,
    )
  }
  if (mongod !== 'auto') return { kind: 'mongod', program: mongod }
  if (onPath !== undefined) return { kind: 'mongod', program: onPath }
  const missing = 'database.mongod is auto, but there is no mongod on the PATH.'
  if (!download)
    return none(
      `${missing} Install MongoDB, set database.mongod to the path of a mongod, or let Quire download one with database.download=true.`,
    )
  if (system.platform === 'linux' && system.glibc === undefined)
    return none(
      `${missing} MongoDB offers no downloads for Linux without glibc. Set database.mongod to a mongod that runs here, or set MONGODB_URI.`,
    )
  return { kind: 'download' }
}

const none = (why: string): DatabaseChoice => ({ kind: 'none', why })
