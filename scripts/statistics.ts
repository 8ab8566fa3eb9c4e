/** Returns the median of unsorted values; NaN if there are none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2
}

/** Returns the value at the position `share` (0 to 1) of the sorted values; NaN if there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}

/** A value measured at a time in seconds. */
export type Point = Readonly<{ seconds: number; value: number }>

/** How to reduce the values of a period to one. For memory, `least` ignores garbage that was not collected yet. */
export type Of = 'least' | 'median'

/**
 * Returns the median of a series, its rise, and the rise of its second half extrapolated to the whole duration. Slopes
 * are Theil–Sen estimates, which are robust against outliers. Undefined for fewer than 4 points.
 */
export function growthOf(points: readonly Point[], of: Of) {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined || points.length < 4) return undefined
  const length = Math.min(30, Math.floor(points.length / 2))
  const each = points.length / length
  const stretches = Array.from({ length }, (_, at) => {
    const stretch = points.slice(at * each, (at + 1) * each)
    const values = stretch.map(({ value }) => value)
    const value = of === 'least' ? Math.min(...values) : median(values)
    return { seconds: median(stretch.map(({ seconds }) => seconds)), value }
  })
  const duration = last.seconds - first.seconds
  const late = stretches.filter(({ seconds }) => seconds >= first.seconds + duration / 2)
  const level = median(points.map(({ value }) => value))
  return { level, rise: slopeOf(stretches) * duration, lateRise: slopeOf(late) * duration }
}

const slopeOf = (points: readonly Point[]): number =>
  median(
    points.flatMap((from, at) =>
      points.slice(at + 1).map((to) => (to.value - from.value) / (to.seconds - from.seconds)),
    ),
  )
