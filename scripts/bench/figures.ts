/** What one measurement of one server on one scenario says; null where the system does not tell. */
export type Figures = Readonly<{
  requestsPerSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
  /** Milliseconds of CPU per request: of the server, and of the engine. */
  serverCpu: number
  engineCpu: number | null
  cpu: number | null
  /** Of the server at the end, in MB (PSS). */
  memory: number | null
  /** Of the event loop's delay, in milliseconds. */
  delayP99: number
}>

export type Figure = keyof Figures

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const upper = sorted[Math.floor(middle)] ?? NaN
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? NaN) + upper) / 2 : upper
}

/** Of values in ascending order. */
export const percentile = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN

/** Each figure's median over the rounds. */
export function mediansOf(rounds: readonly Figures[]): Figures {
  const of = (figure: Figure): number | null => {
    const values = rounds.flatMap((round) => round[figure] ?? [])
    return values.length === 0 ? null : median(values)
  }
  return Object.fromEntries(
    Object.keys(rounds[0] ?? {}).map((figure) => [figure, of(figure as Figure)]),
  ) as Figures
}

/** How many times the other's figure it is: the median of the rounds' ratios, whose two sides were measured side by side. */
export function ratioOf(
  figure: Figure,
  rounds: readonly Figures[],
  others: readonly Figures[],
): number | null {
  const ratios = rounds.flatMap((round, index) => {
    const [mine, theirs] = [round[figure], others[index]?.[figure]]
    return typeof mine === 'number' && typeof theirs === 'number' ? mine / theirs : []
  })
  return ratios.length === 0 ? null : median(ratios)
}
