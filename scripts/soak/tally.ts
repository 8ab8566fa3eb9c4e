import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'
import type { KindSample, Sample } from './sample.js'

/** Counts answers and errors, and how long answers took. */
export type Tally = Readonly<{
  answered: (kind: string, milliseconds: number) => void
  failed: (kind: string, why: string) => void
  /** What came since it was called last. */
  take: () => Pick<Sample, 'requestsPerSecond' | 'errors' | 'p50' | 'p99' | 'kinds'>
  /** The first errors, as they were told. */
  firstErrors: () => readonly string[]
}>

const maxErrors = 100

export function createTally(): Tally {
  let kinds = new Map<string, RecordableHistogram>()
  let all = createHistogram()
  let errors = 0
  let since = performance.now()
  const first: string[] = []
  return {
    answered: (kind, milliseconds) => {
      const microseconds = Math.max(1, Math.round(milliseconds * 1000))
      let histogram = kinds.get(kind)
      if (histogram === undefined) kinds.set(kind, (histogram = createHistogram()))
      histogram.record(microseconds)
      all.record(microseconds)
    },
    failed: (kind, why) => {
      errors += 1
      if (first.length < maxErrors) first.push(`${new Date().toISOString()} ${kind}: ${why}`)
    },
    take: () => {
      const now = performance.now()
      const { p50, p99 } = figuresOf(all)
      const taken = {
        requestsPerSecond: (all.count * 1000) / (now - since),
        ...{ errors, p50, p99 },
        kinds: Object.fromEntries([...kinds].map(([kind, it]) => [kind, figuresOf(it)])),
      }
      kinds = new Map()
      all = createHistogram()
      errors = 0
      since = now
      return taken
    },
    firstErrors: () => first,
  }
}

const figuresOf = (histogram: RecordableHistogram): KindSample => ({
  requests: histogram.count,
  p50: histogram.count === 0 ? 0 : histogram.percentile(50) / 1000,
  p99: histogram.count === 0 ? 0 : histogram.percentile(99) / 1000,
})
