import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createLoadedWith } from '../../scripts/loaded-files.js'

const dist = join(import.meta.dirname, '../..')
/** This package starts the tests' database server, even if that is the `mongod` named by `MONGOMS_SYSTEM_BINARY`. */
const databaseServer = 'mongodb-memory-server'
/** A test file that imports none of these modules, not even indirectly, starts no process. */
const startProcesses = [
  'node:child_process',
  databaseServer,
  'mongodb-memory-server-core',
  'playwright-core',
]

/** `loaded` are all modules that the file loads, `spec` is its path for mocha (`dist/test/…/nearest-name.test.js`). */
type TestFile = Readonly<{ spec: string; loaded: ReadonlySet<string> }>

/** Returns the files that `npm run test:fast` runs. */
export const withoutProcesses = (): readonly string[] => specs((file) => !startsProcesses(file))

/** Returns the files that run again on a replica set: those that use a database. */
export const withDatabase = (): readonly string[] =>
  specs(({ loaded }) => loaded.has(databaseServer))

/** Returns the files whose properties run ten times as often in `npm run test:long`. */
export const withProperties = (): readonly string[] =>
  specs(({ loaded }) => loaded.has('fast-check'))

const startsProcesses = ({ loaded }: TestFile): boolean =>
  startProcesses.some((name) => loaded.has(name))

function specs(isTaken: (file: TestFile) => boolean): readonly string[] {
  const files = readdirSync(join(dist, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.js'))
    .sort()
    .map((name) => `test/${name.replaceAll('\\', '/')}`)
  const loadedWith = createLoadedWith(dist)
  return files
    .map((file) => ({ spec: `dist/${file}`, loaded: loadedWith(file) }))
    .filter(isTaken)
    .map(({ spec }) => spec)
}
