/** A mean with its 95 % confidence interval. */
export type Interval = Readonly<{ mean: number; low: number; high: number }>

/**
 * By what share the values of one are more than those of the other that were measured beside them: the mean of the pairs'
 * differences, over the mean of the other, with the interval of Student's t. Slow drifts are in both of a pair.
 * @throws for fewer than two pairs
 */
export function relativeDifference(own: readonly number[], others: readonly number[]): Interval {
  const count = own.length
  if (count < 2 || count !== others.length) throw new Error('There are too few pairs')
  const differences = own.map((value, at) => value - (others[at] ?? NaN))
  const base = meanOf(others)
  const mean = meanOf(differences)
  const variance = differences.reduce((sum, it) => sum + (it - mean) ** 2, 0) / (count - 1)
  const half = quantile(count - 1) * Math.sqrt(variance / count)
  return { mean: mean / base, low: (mean - half) / base, high: (mean + half) / base }
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** Of Student's t at 97.5 %, by its expansion around the normal distribution; within 1 % from five degrees of freedom on. */
function quantile(freedom: number): number {
  const z = 1.959964
  return (
    z +
    (z ** 3 + z) / (4 * freedom) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * freedom ** 3)
  )
}
