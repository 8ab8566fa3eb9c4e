import type { MutantResult } from '@stryker-mutator/api/core'

const noticed: ReadonlySet<MutantResult['status']> = new Set(['Killed', 'Timeout', 'RuntimeError'])
const counted: ReadonlySet<MutantResult['status']> = new Set([...noticed, 'Survived', 'NoCoverage'])
const sourceOf = (mutant: MutantResult): string =>
  mutant.fileName.replace(/^.*\bdist\//, '').replace(/\.js$/, '.ts')

/** One line for each folder, and beneath it one for each of its files: how many of its mutants some test noticed. */
export function scoresOf(
  mutants: readonly MutantResult[],
  folders: readonly string[],
): readonly string[] {
  return folders.flatMap((folder) => {
    const inside = mutants.filter((mutant) => sourceOf(mutant).startsWith(folder))
    if (inside.length === 0) return []
    const files = [...new Set(inside.map(sourceOf))].sort()
    return [
      line(folder, inside),
      ...files.map((file) =>
        line(
          `  ${file.slice(file.lastIndexOf('/') + 1)}`,
          inside.filter((one) => sourceOf(one) === file),
        ),
      ),
    ]
  })
}

/** Every mutant that no test noticed, as `engine/read/query/parse-sort.ts 12:3 of the compiled file, what stood there instead`. */
export const survivorsIn = (mutants: readonly MutantResult[]): readonly string[] =>
  mutants
    .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
    .map((mutant) => {
      const { line, column } = mutant.location.start
      const how = mutant.status === 'Survived' ? 'unnoticed' : 'not run'
      return `${sourceOf(mutant)} ${line + 1}:${column + 1} ${how} ${mutant.mutatorName}: ${mutant.replacement ?? ''}`
    })
    .sort()

function line(name: string, mutants: readonly MutantResult[]): string {
  const all = mutants.filter(({ status }) => counted.has(status)).length
  const some = mutants.filter(({ status }) => noticed.has(status)).length
  const share = all === 0 ? '    –' : `${((100 * some) / all).toFixed(1).padStart(5)}`
  return `${share} %  ${String(some).padStart(5)} of ${String(all).padStart(5)}  ${name}`
}
