import type { System } from './system.js'
import { embeddedSupport, whatElse } from './system.js'

/** The settings for choosing a database, and the installed databases. */
export type DatabaseWish = Readonly<{
  /** `MONGODB_URI`. */
  uri?: string | undefined
  /** `database.mongod`: the path of a program, `auto`, or empty. */
  mongod: string
  /** `database.download`. */
  download: boolean
  /** Path of the `mongod` that is found through `PATH`. */
  onPath?: string | undefined
  /** Whether the package of the embedded engine, an optional dependency, is installed. */
  hasEngine: boolean
}>

/** The database to use. For `none`, `why` states the reason, and what to set. */
export type DatabaseChoice =
  | Readonly<{ kind: 'external'; uri: string }>
  | Readonly<{ kind: 'embedded' }>
  | Readonly<{ kind: 'mongod'; program: string }>
  | Readonly<{ kind: 'download' }>
  | Readonly<{ kind: 'none'; why: string }>

/**
 * Chooses the database. If a URI is given: an external MongoDB. If `database.mongod` is set: a managed MongoDB, which
 * is downloaded only if that is allowed explicitly. Otherwise: the embedded engine.
 */
export function chooseDatabase(wish: DatabaseWish, system: System): DatabaseChoice {
  const { uri, mongod, download, onPath, hasEngine } = wish
  if (uri !== undefined && uri !== '') return { kind: 'external', uri }
  if (mongod === '') {
    const support = embeddedSupport(system)
    if (support.kind !== 'none' && hasEngine) return { kind: 'embedded' }
    const remedy = whatElse(system.platform)
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
