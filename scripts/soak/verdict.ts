import { growthOf, type Growth, type Point } from './growth.js'
import type { ProcessSample, Sample } from './sample.js'

/** What may not grow, and by how much it may at least, so that small services are not judged by noise. */
const judged: readonly Readonly<{
  name: string
  figure: keyof ProcessSample
  of: 'least' | 'median'
  atLeast: number
}>[] = [
  { name: 'memory (RSS)', figure: 'rss', of: 'median', atLeast: 20e6 },
  { name: 'heap that is kept', figure: 'heapKept', of: 'median', atLeast: 10e6 },
  { name: 'memory outside the heap', figure: 'external', of: 'least', atLeast: 10e6 },
  { name: 'open files', figure: 'files', of: 'median', atLeast: 5 },
  { name: 'connections', figure: 'connections', of: 'median', atLeast: 5 },
  { name: 'handles', figure: 'handles', of: 'least', atLeast: 10 },
]

/** One figure of one process after the warm-up. */
export type Judgement = Readonly<{
  process: string
  name: string
  figure: keyof ProcessSample
  growth: Growth
  /** What it may rise by. */
  limit: number
  grows: boolean
}>

export type Verdict = Readonly<{
  requests: number
  errors: number
  judgements: readonly Judgement[]
  passes: boolean
}>

/**
 * Whether a service would hold out: no request went wrong, and nothing rises by more than `limit` percent of its level
 * after the warm-up. What has stopped rising in the second half does not count: pools and caches fill once.
 * @param isJudged whether a process is; a database of others fills its cache as it likes
 */
export function judge(
  samples: readonly Sample[],
  { limit, isJudged }: Readonly<{ limit: number; isJudged: (process: string) => boolean }>,
): Verdict {
  const after = samples.filter(({ isWarmUp }) => !isWarmUp)
  const processes = [...new Set(after.flatMap((sample) => Object.keys(sample.processes)))]
  const judgements = processes.filter(isJudged).flatMap((process) =>
    judged.flatMap(({ name, figure, of, atLeast }) => {
      const growth = growthOf(seriesOf(after, process, figure), of)
      if (growth === undefined) return []
      const most = Math.max(atLeast, (growth.level * limit) / 100)
      const grows = growth.rise > most && growth.lateRise > most / 2
      return [{ process, name, figure, growth, limit: most, grows }]
    }),
  )
  const errors = samples.reduce((sum, sample) => sum + sample.errors, 0)
  const requests = samples.reduce((sum, { kinds }) => sum + requestsOf(kinds), 0)
  const passes = errors === 0 && requests > 0 && judgements.every(({ grows }) => !grows)
  return { requests, errors, judgements, passes }
}

/** What a figure of a process was over time, where it is known. */
export function seriesOf(
  samples: readonly Sample[],
  process: string,
  figure: keyof ProcessSample,
): readonly Point[] {
  return samples.flatMap(({ seconds, processes }) => {
    const value = processes[process]?.[figure] ?? null
    return value === null ? [] : [{ seconds, value }]
  })
}

const requestsOf = (kinds: Sample['kinds']): number =>
  Object.values(kinds).reduce((sum, { requests }) => sum + requests, 0)
