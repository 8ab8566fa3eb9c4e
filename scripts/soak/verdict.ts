import { growthOf, type Of } from '../statistics.js'

/**
 * Figures that must not grow. Each has a metric, a way to reduce the values of a period to one value (`of`), and a rise
 * that is always allowed (`noise`). Memory is in bytes.
 */
export const figures: Readonly<Record<string, readonly [metric: string, of: Of, noise: number]>> = {
  rss: ['process_resident_memory_bytes', 'median', 20e6],
  heap: ['nodejs_heap_size_used_bytes', 'least', 10e6],
  external: ['nodejs_external_memory_bytes', 'least', 10e6],
  files: ['process_open_fds', 'median', 5],
  connections: ['quire_http_connections', 'median', 5],
  handles: ['nodejs_active_resources_total', 'least', 10],
}

/** The values of a process by figure. */
export type ProcessSample = Readonly<Record<string, number>>

/** The members of a line in `samples.jsonl` that the verdict uses. Requests are counted since the previous line. */
export type Sample = Readonly<{
  /** Since the start of the load. */
  seconds: number
  isWarmUp: boolean
  requests: number
  errors: number
  processes: Readonly<Record<string, ProcessSample>>
}>

/** Reads the figures from Prometheus's text format. */
export const figuresIn = (text: string): ProcessSample =>
  Object.fromEntries(
    Object.entries(figures).flatMap(([figure, [metric]]) => {
      const value = Number(new RegExp(`^${metric}(?:{.*})? (\\S+)$`, 'm').exec(text)?.[1])
      return Number.isFinite(value) ? [[figure, value]] : []
    }),
  )

/**
 * A run passes if no request failed, and no figure of a service has risen by more than a tenth of its level after the
 * warm-up. A rise that stops in the second half is allowed, because pools and caches fill only once.
 */
export function judge(samples: readonly Sample[]) {
  const after = samples.filter(({ isWarmUp }) => !isWarmUp)
  // Databases are not judged, because their memory grows until their cache is full.
  const services = Object.keys(after[0]?.processes ?? {}).filter((name) => name !== 'database')
  const judgements = services.flatMap((service) =>
    Object.entries(figures).flatMap(([figure, [, of, noise]]) => {
      const points = after.flatMap(({ seconds, processes }) => {
        const value = processes[service]?.[figure]
        return value === undefined ? [] : [{ seconds, value }]
      })
      const growth = growthOf(points, of)
      if (growth === undefined) return []
      const most = Math.max(noise, growth.level / 10)
      return [{ service, figure, growth, grows: growth.rise > most && growth.lateRise > most / 2 }]
    }),
  )
  const errors = samples.reduce((sum, sample) => sum + sample.errors, 0)
  const requests = samples.reduce((sum, sample) => sum + sample.requests, 0)
  const passes = errors === 0 && requests > 0 && !judgements.some(({ grows }) => grows)
  return { requests, errors, judgements, passes }
}
