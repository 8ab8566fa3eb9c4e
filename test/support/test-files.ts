import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { reach } from '../../scripts/layers/reach.js'

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
  const importsOf = createImportsOf()
  return files
    .map((file) => ({ spec: `dist/${file}`, loaded: reach(file, importsOf) }))
    .filter(isTaken)
    .map(({ spec }) => spec)
}

/** The files (`engine/read.js`) and packages that a compiled file imports. */
function createImportsOf(): (file: string) => readonly string[] {
  const known = new Map<string, readonly string[]>()
  return (file) => {
    const imports = known.get(file) ?? readImports(file)
    known.set(file, imports)
    return imports
  }
}

function readImports(file: string): readonly string[] {
  const path = join(dist, file)
  // A package, or what only a text of a test imports.
  if (!file.endsWith('.js') || !existsSync(path)) return []
  const found = readFileSync(path, 'utf8').matchAll(/\b(?:from|import)[\s(]*'([^'\n]+)'/g)
  return [...found].map(([, specifier = '']) =>
    specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier) : specifier,
  )
}
