import { median } from '../statistics.js'
import type { Figures } from './run-rows.js'

/** How many times another figure it is, with the least and the most. */
export type Ratio = Readonly<{ median: number; least: number; most: number }>

/** Makes something of each figure that was measured. */
export const byFigure = <T>(
  [first = {}]: readonly Figures[],
  make: (figure: string) => T,
): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.keys(first).map((figure) => [figure, make(figure)]))

/**
 * The ratio of each figure to another server's: of rounds that were measured beside each other, or (`unpaired`) of each
 * round to each of another run.
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
