import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createLoadedWith } from '../../scripts/loaded-files.js'

const dist = join(import.meta.dirname, '../..')
/** A database is a process as well: whoever imports none of these, however far off, has neither. */
const startProcesses = [
  ...['node:child_process', 'mongodb-memory-server', 'mongodb-memory-server-core'],
  'playwright-core',
]

/** A test file as mocha takes it (`dist/test/engine/errors/nearest-name.test.js`), and all that is loaded with it. */
type TestFile = Readonly<{ spec: string; loaded: ReadonlySet<string> }>

/** What `npm run test:fast` runs. */
export const withoutProcesses = (): readonly string[] => specs((file) => !startsProcesses(file))

/** What runs once more on a replica set. */
export const withProcesses = (): readonly string[] => specs(startsProcesses)

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
