import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createLoadedWith } from '../../scripts/loaded-files.js'

const dist = join(import.meta.dirname, '../..')
/**
 * The package that starts the database server of the tests, even if that is the `mongod` from `MONGOMS_SYSTEM_BINARY`.
 */
const databaseServer = 'mongodb-memory-server'
/** A test file starts no process if it imports none of these modules, not even indirectly. */
const startProcesses = [
  'node:child_process',
  databaseServer,
  'mongodb-memory-server-core',
  'playwright-core',
]

/**
 * `spec` is the path of a test file for mocha (`dist/test/…/nearest-name.test.js`), `loaded` contains all modules that
 * the file loads.
 */
type TestFile = Readonly<{ spec: string; loaded: ReadonlySet<string> }>

/** Returns the files that `npm run test:fast` runs. */
export const withoutProcesses = (): readonly string[] => specs((file) => !startsProcesses(file))

/** Returns the files that use the database server of the tests. They run again on a replica set. */
export const withDatabase = (): readonly string[] =>
  specs(({ loaded }) => loaded.has(databaseServer))

/** Returns the files with properties. These run ten times as often in `npm run test:long`. */
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
