/** What was measured, by name and unit; null where the system does not tell. */
export type Figures = Readonly<Record<string, number | null>>

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const upper = sorted[Math.floor(middle)] ?? NaN
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? NaN) + upper) / 2 : upper
}

/** Of values in ascending order. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN

/** A figure's median over the rounds. */
export function medianOf(rounds: readonly Figures[], figure: string): number | null {
  const values = rounds.flatMap((round) => round[figure] ?? [])
  return values.length === 0 ? null : median(values)
}

/** How many times another figure it is, with the least and the most. */
export type Ratio = Readonly<{ median: number; least: number; most: number }>

/**
 * The ratio of a figure to another server's: of rounds that were measured beside each other, or (`unpaired`) of each
 * round to each of another run.
 */
export function ratioOf(
  figure: string,
  own: readonly Figures[],
  others: readonly Figures[],
  unpaired = false,
): Ratio | null {
  const ratios = own
    .flatMap((round, at) =>
      (unpaired ? others : others.slice(at, at + 1)).map(
        (other) => (round[figure] ?? NaN) / (other[figure] ?? NaN),
      ),
    )
    .filter(Number.isFinite)
  if (ratios.length === 0) return null
  return { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) }
}
