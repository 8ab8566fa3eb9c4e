/** Upper bounds of a histogram's buckets in seconds: from a short stage of a request to the longest request. */
export const bucketBounds = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
] as const

/** Joins label values to a key. Most metrics have one label, whose value is the key itself. */
const keyOf = (labels: readonly string[]): string =>
  labels.length === 1 ? (labels[0] as string) : labels.join('\n')

export type Count = ReturnType<typeof createCount>

/** Creates a counter with one number for each set of label values. */
export function createCount() {
  const series = new Map<string, { labels: readonly string[]; value: number }>()
  return {
    add: (...labels: readonly string[]): void => {
      const key = keyOf(labels)
      const known = series.get(key)
      if (known === undefined) series.set(key, { labels, value: 1 })
      else known.value += 1
    },
    samples: () => [...series.values()],
  }
}

/** Distribution of the values for one set of labels. */
export type Distribution = Readonly<{
  labels: readonly string[]
  /**
   * For each bound, the number of values above the previous bound and up to this one. The last number counts the values
   * above all bounds.
   */
  counts: readonly number[]
  sum: number
}>

export type Durations = ReturnType<typeof createDurations>

/**
 * Creates a histogram of durations by labels. A histogram of `prom-client` would sort and join labels ten to twenty
 * times per request, which is a tenth of the cost of a cheap request.
 */
export function createDurations() {
  const series = new Map<string, { labels: readonly string[]; counts: number[]; sum: number }>()
  return {
    add: (seconds: number, ...labels: readonly string[]): void => {
      const key = keyOf(labels)
      let known = series.get(key)
      if (known === undefined) {
        known = { labels, counts: new Array<number>(bucketBounds.length + 1).fill(0), sum: 0 }
        series.set(key, known)
      }
      known.sum += seconds
      const at = bucketOf(seconds)
      known.counts[at] = (known.counts[at] ?? 0) + 1
    },
    distributions: (): readonly Distribution[] => [...series.values()],
  }
}

function bucketOf(seconds: number): number {
  let at = 0
  while (at < bucketBounds.length && seconds > (bucketBounds[at] as number)) at += 1
  return at
}
