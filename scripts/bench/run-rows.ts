import { onProgress } from '../../cli/progress.js'

/** Measured values by name and unit, such as `idle MB`. NaN if the system does not report a value. */
export type Figures = Readonly<Record<string, number>>

/** A row of a report, which compares several ways to do the same thing. */
export type Row = Readonly<{ name: string; title: string; ways: readonly Way[] }>

/** One of the compared alternatives: a server, or a way of sending requests to it. */
export type Way = Readonly<{ name: string; measure: (round: number) => Promise<Figures> }>

/** The figures of each round of a row, by the name of the way. */
export type Result = Awaited<ReturnType<typeof runRows>>[number]

/**
 * Measures all ways of each row in rounds. Each round begins with a different way, and every second round runs in
 * reverse order.
 */
export async function runRows(rows: readonly Row[], rounds: number) {
  const results = rows.map(({ name, title, ways }) => {
    const empty = ways.map((way) => [way.name, Array<Figures>()] as const)
    return { name, title, ways: Object.fromEntries(empty) }
  })
  for (let round = 0; round < rounds; round += 1)
    for (const [at, { title, ways }] of rows.entries())
      for (const way of inOrderOf(ways, round)) {
        onProgress(`round ${round + 1} of ${rounds}, ${title}, ${way.name}`)
        const figures = await way.measure(round).catch((cause: unknown) => {
          throw new Error(`${title}, ${way.name}: ${String(cause)}`, { cause })
        })
        results[at]?.ways[way.name]?.push(figures)
      }
  return results
}

function inOrderOf<T>(list: readonly T[], round: number): readonly T[] {
  const from = round % list.length
  const rotated = [...list.slice(from), ...list.slice(0, from)]
  return round % 2 === 0 ? rotated : rotated.toReversed()
}
