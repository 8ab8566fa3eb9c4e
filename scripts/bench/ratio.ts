import { median } from '../statistics.js'
import type { Figures } from './run-rows.js'

/** A ratio over several rounds. */
export type Ratio = Readonly<{ median: number; least: number; most: number }>

/** Calls `make` with the name of each figure of the first round, and returns the results by name. */
export const byFigure = <T>(
  [first = {}]: readonly Figures[],
  make: (figure: string) => T,
): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.keys(first).map((figure) => [figure, make(figure)]))

/**
 * Returns the ratio of each figure to the same figure of another server. Divides each round by the same round of the
 * other server, or, with `unpaired`, by every round of the other server.
 */
export const ratiosOf = (
  own: readonly Figures[],
  others: readonly Figures[],
  unpaired = false,
): Readonly<Record<string, Ratio | null>> =>
  byFigure(own, (figure) => {
    const ratios = own
      .flatMap((round, at) => {
        const compared = unpaired ? others : others.slice(at, at + 1)
        return compared.map((other) => (round[figure] ?? NaN) / (other[figure] ?? NaN))
      })
      .filter(Number.isFinite)
    if (ratios.length === 0) return null
    return { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) }
  })
