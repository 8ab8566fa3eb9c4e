import { median } from '../statistics.js'
import type { Figures } from './run-rows.js'

/** A ratio of two figures: median, minimum and maximum. */
export type Ratio = Readonly<{ median: number; least: number; most: number }>

/** Calls `make` for the name of each measured figure, and returns the results by name. */
export const byFigure = <T>(
  [first = {}]: readonly Figures[],
  make: (figure: string) => T,
): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.keys(first).map((figure) => [figure, make(figure)]))

/**
 * Returns the ratio of each figure to that of another server. Compares the two servers round by round. With `unpaired`,
 * compares each round with every round of the other.
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
