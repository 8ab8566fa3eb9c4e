import { median, min } from 'd3-array'

/** A value at a moment, in seconds. */
export type Point = Readonly<{ seconds: number; value: number }>

export type Growth = Readonly<{
  /** The median of the values. */
  level: number
  /** By how much they rise from the first moment to the last, by a line that outliers do not turn. */
  rise: number
  /** The same of the second half, over as long a time as the whole: what levels off does not rise there. */
  lateRise: number
}>

/** Into so many parts the time is cut; each is one value. */
const parts = 30

/**
 * How a series grows, by the slope of Theil and Sen: the median of the slopes between all pairs of points, which holds
 * as long as fewer than 29 % of the points lie anywhere.
 * @param of what stands for a stretch of time: its least value, for memory that is collected as garbage, so that what
 *   is kept is seen; else its median
 * @returns undefined where there are fewer than 4 points
 */
export function growthOf(points: readonly Point[], of: 'least' | 'median'): Growth | undefined {
  const first = points[0]
  const last = points.at(-1)
  if (first === undefined || last === undefined || points.length < 4) return undefined
  const stretches = cut(points, of)
  const duration = last.seconds - first.seconds
  const middle = first.seconds + duration / 2
  return {
    level: median(points, ({ value }) => value) ?? 0,
    rise: slopeOf(stretches) * duration,
    lateRise: slopeOf(stretches.filter(({ seconds }) => seconds >= middle)) * duration,
  }
}

/** By Theil and Sen, in values a second; 0 for fewer than 2 points. */
export function slopeOf(points: readonly Point[]): number {
  const slopes = points.flatMap((from, at) =>
    points
      .slice(at + 1)
      .filter(({ seconds }) => seconds > from.seconds)
      .map((to) => (to.value - from.value) / (to.seconds - from.seconds)),
  )
  return median(slopes) ?? 0
}

/** Each stretch of points by one, in the middle of its time. */
function cut(points: readonly Point[], of: 'least' | 'median'): readonly Point[] {
  const count = Math.min(parts, Math.floor(points.length / 2))
  return Array.from({ length: count }, (_, at) => {
    const stretch = points.slice(
      Math.floor((at * points.length) / count),
      Math.floor(((at + 1) * points.length) / count),
    )
    const values = stretch.map(({ value }) => value)
    return {
      seconds: median(stretch, ({ seconds }) => seconds) ?? 0,
      value: (of === 'least' ? min(values) : median(values)) ?? 0,
    }
  })
}
