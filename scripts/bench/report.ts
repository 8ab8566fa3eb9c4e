import { readFile, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { median } from '../statistics.js'
import type { BenchOptions, Run } from './options.js'
import { byFigure, ratiosOf, type Ratio } from './ratio.js'
import type { Result } from './run-rows.js'
import { formatNumber, formatTable } from '../table.js'

/** The names of two `Way`s. The report prints the ratio of their figures. */
export type Pair = readonly [own: string, other: string]

type Line<T> = Readonly<{
  name: string
  title: string
  way: string
  figures: Readonly<Record<string, T>>
}>

/** Maximum number of figures in a table of ratios. The JSON file contains all figures. */
const shown = 5

/** Prints medians, ratios of all pairs, and a comparison with an earlier run, and writes them to the JSON file. */
export async function report(
  results: readonly Result[],
  pairs: readonly Pair[],
  { options, print }: Run,
): Promise<void> {
  const { compare, json } = options
  const about = describe(options)
  const measured = results.flatMap(({ name, title, ways }) =>
    Object.entries(ways).map(([way, rounds]) => ({ name, title, way, rounds })),
  )
  const medians = measured.map(({ rounds, ...line }) => ({
    ...line,
    figures: byFigure(rounds, (figure) => median(rounds.flatMap((it) => it[figure] ?? []))),
  }))
  print(`${formatLines(medians, '', formatNumber)}\n`)
  const ratios = results.flatMap(({ name, title, ways }) =>
    pairs.flatMap(([own, other]) => {
      const [rounds, others] = [ways[own], ways[other]]
      if (rounds === undefined || others === undefined) return []
      return [{ name, title, way: `${own} / ${other}`, figures: ratiosOf(rounds, others) }]
    }),
  )
  print(`${formatLines(ratios, 'ratio of', formatRatio, shown)}\n`)
  if (compare !== undefined) {
    const earlier = JSON.parse(await readFile(compare, 'utf8')) as Written
    const changes = measured.flatMap(({ rounds, ...line }) => {
      const before = earlier.results.find(({ name }) => name === line.name)?.ways[line.way]
      return before === undefined ? [] : [{ ...line, figures: ratiosOf(rounds, before, true) }]
    })
    print(`${formatLines(changes, 'now / earlier', formatRatio, shown)}\n`)
    print(`earlier: ${earlier.about}`)
  }
  print(about)
  const written: Written = { about, results }
  if (json !== undefined) await writeFile(json, JSON.stringify({ ...written, ratios }, null, 2))
}

/** The members of an earlier `--json` file that the comparison needs. */
type Written = Readonly<{ about: string; results: readonly Result[] }>

function describe({ mongod, size, rounds, seconds }: BenchOptions): string {
  const [cpu] = cpus()
  const machine = `${cpus().length} × ${cpu?.model.trim() ?? 'CPU'}, ${Math.round(totalmem() / 1024 ** 3)} GB`
  const database = mongod === undefined ? 'embedded engine' : 'MongoDB, a replica set of one'
  const measured = `${size} articles, ${rounds} rounds of ${seconds} s`
  return `${machine}, Node ${process.version}; ${database}; ${measured}`
}

/** Lines with the same figures are in the same table. */
function formatLines<T>(
  lines: readonly Line<T>[],
  head: string,
  format: (value: T) => string,
  count = Infinity,
): string {
  const tables = new Map<string, string[][]>()
  for (const { title, way, figures } of lines) {
    const names = Object.keys(figures).slice(0, count).join('\n')
    const row = [title, way, ...Object.values(figures).slice(0, count).map(format)]
    tables.set(names, [...(tables.get(names) ?? []), row])
  }
  return [...tables]
    .map(([names, rows]) => formatTable(['', head, ...names.split('\n')], rows))
    .join('\n\n')
}

/** Returns for example `1.02 (0.98–1.05)`: median, minimum and maximum. */
function formatRatio(ratio: Ratio | null): string {
  if (ratio === null) return '–'
  const [median, least, most] = [ratio.median, ratio.least, ratio.most].map(formatNumber)
  return least === most ? `${median}` : `${median} (${least}–${most})`
}
