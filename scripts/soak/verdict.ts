/** Which value stands for a stretch of time. The least one leaves out garbage that is collected meanwhile. */
type Of = 'least' | 'median'
type Figure = 'rss' | 'heap' | 'external' | 'files' | 'connections' | 'handles'

/** What may not grow, by its metric; a rise of less than `noise` passes. Memory is in bytes. */
export const figures: Readonly<Record<Figure, readonly [metric: string, of: Of, noise: number]>> = {
  rss: ['process_resident_memory_bytes', 'median', 20e6],
  heap: ['nodejs_heap_size_used_bytes', 'least', 10e6],
  external: ['nodejs_external_memory_bytes', 'least', 10e6],
  files: ['process_open_fds', 'median', 5],
  connections: ['quire_http_connections', 'median', 5],
  handles: ['nodejs_active_resources_total', 'least', 10],
}
export type ProcessSample = Readonly<Partial<Record<Figure, number>>>

/** One line of `samples.jsonl`: what was answered since the line before, and what each process holds. */
export type Sample = Readonly<{
  /** Since the load began. */
  seconds: number
  isWarmUp: boolean
  requests: number
  errors: number
  /** Milliseconds. */
  p50: number
  p99: number
  kinds: Readonly<Record<string, number>>
  processes: Readonly<Record<string, ProcessSample>>
}>

/** A value at a moment, in seconds. */
export type Point = Readonly<{ seconds: number; value: number }>

/**
 * Passes if no request went wrong, and no figure of a service rises by more than `limit` percent of its level after the
 * warm-up. A figure that has stopped rising in the second half passes: pools and caches fill once.
 */
export function judge(samples: readonly Sample[], limit: number) {
  const after = samples.filter(({ isWarmUp }) => !isWarmUp)
  const services = new Set(after.flatMap(({ processes }) => Object.keys(processes)))
  // A database fills its cache.
  services.delete('database')
  const judgements = [...services].flatMap((service) =>
    (Object.keys(figures) as Figure[]).flatMap((figure) => {
      const points = after.flatMap(({ seconds, processes }) => {
        const value = processes[service]?.[figure]
        return value === undefined ? [] : [{ seconds, value }]
      })
      const [, of, noise] = figures[figure]
      const growth = growthOf(points, of)
      if (growth === undefined) return []
      const most = Math.max(noise, (growth.level * limit) / 100)
      return [{ service, figure, growth, grows: growth.rise > most && growth.lateRise > most / 2 }]
    }),
  )
  const errors = samples.reduce((sum, sample) => sum + sample.errors, 0)
  const requests = samples.reduce((sum, sample) => sum + sample.requests, 0)
  const passes = errors === 0 && requests > 0 && !judgements.some(({ grows }) => grows)
  return { requests, errors, judgements, passes }
}

/**
 * Returns the median of a series, by how much it rises from its first moment to its last, and the rise of its second
 * half over as long a time. The slope is that of Theil and Sen, which outliers do not turn.
 * @returns undefined for fewer than 4 points
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

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2
}
