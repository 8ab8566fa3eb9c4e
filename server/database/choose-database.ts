import type { System } from './system.js'
import { embeddedSupport, adviceWithoutEngine } from './system.js'

/** What the choice of a database depends on. */
export type DatabaseChoiceInputs = Readonly<{
  /** The environment variable `MONGODB_URI`. */
  uri?: string | undefined
  /** Setting `database.mongod`: path of a `mongod`, `auto`, or empty. */
  mongod: string
  /** Setting `database.download`: whether Quire may download a `mongod`. */
  download: boolean
  onPath?: string | undefined
  /** Whether npm installed the optional embedded engine. */
  hasEngine: boolean
}>

/** For `none`, `why` says what to set. */
export type DatabaseChoice =
  | Readonly<{ kind: 'external'; uri: string }>
  | Readonly<{ kind: 'embedded' }>
  | Readonly<{ kind: 'mongod'; program: string }>
  | Readonly<{ kind: 'download' }>
  | Readonly<{ kind: 'none'; why: string }>

/**
 * Chooses an external MongoDB if a URI is set, a managed one if `database.mongod` is set, otherwise the embedded
 * engine. Downloads a managed MongoDB only if `database.download` is true.
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
