import { posix } from 'node:path'
import { reach } from '../layers/reach.js'
import type { Source } from '../layers/read-source.js'

/** Who imports one of these, however far off, has a database or starts something, or is slow and draws by chance, which gives another score each time. */
const impure = new Set([
  'engine/database/client.ts',
  'express',
  'fast-check',
  'node:child_process',
  'node:http',
  'node:worker_threads',
  'mongodb-memory-server',
])

/**
 * The test files that need nothing but this process and meet a mutated file, by what they import.
 * @param isMutated of a path from the project's root: `engine/read/query/parse-sort.ts`
 */
export function pureTests(
  sources: readonly Source[],
  isMutated: (file: string) => boolean,
): readonly string[] {
  const bySource = new Map(sources.map((source) => [source.file, source]))
  const importsOf = (file: string): readonly string[] =>
    (bySource.get(file)?.imports ?? [])
      .filter(({ typeOnly }) => !typeOnly)
      .map(({ specifier }) => placeOf(specifier, file))
  return sources
    .map(({ file }) => file)
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => {
      const reached = [...reach(file, importsOf)]
      return !reached.some((name) => impure.has(name)) && reached.some(isMutated)
    })
}

const placeOf = (specifier: string, from: string): string =>
  specifier.startsWith('.')
    ? posix.join(posix.dirname(from), specifier).replace(/\.js$/, '.ts')
    : specifier
