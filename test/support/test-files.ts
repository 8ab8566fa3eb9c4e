import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createLoadedWith } from '../../scripts/loaded-files.js'

const dist = join(import.meta.dirname, '../..')
/** What starts the database of the tests: the `mongod` that `MONGOMS_SYSTEM_BINARY` names, where it names one. */
const databaseServer = 'mongodb-memory-server'
/** A database is a process as well: a file that imports none of these, however far off, has neither. */
const startProcesses = [
  'node:child_process',
  databaseServer,
  'mongodb-memory-server-core',
  'playwright-core',
]

/** A test file as mocha takes it (`dist/test/engine/errors/nearest-name.test.js`), and all that is loaded with it. */
type TestFile = Readonly<{ spec: string; loaded: ReadonlySet<string> }>

/** What `npm run test:fast` runs. */
export const withoutProcesses = (): readonly string[] => specs((file) => !startsProcesses(file))

/** What runs once more on a replica set: the others would do the same again. */
export const withDatabase = (): readonly string[] =>
  specs(({ loaded }) => loaded.has(databaseServer))

/** What is tried ten times as often in `npm run test:long`. */
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
