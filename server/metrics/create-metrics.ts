import type { Metric as PromMetric } from 'prom-client'
import promClient from 'prom-client'
import {
  gathered,
  countedMetrics,
  type GatheredName,
  type Metric,
  type Sample,
  type Sources,
  type TalliedName,
} from './metrics-table.js'
import type { RequestMetrics } from './request-metrics.js'
import { bucketBounds, type Distribution } from './tally.js'

/** All metrics of the process, for Prometheus. */
export type Metrics = ReturnType<typeof createMetrics>

type Value = Readonly<{
  labels: Readonly<Record<string, string | number>>
  value: number
  metricName?: string
}>

/** Creates the metrics of `metrics-table.ts` and the process metrics of `prom-client`. */
export function createMetrics(tallies: RequestMetrics, sources: Sources) {
  const registry = new promClient.Registry()
  collectOfProcess(registry)
  // The registry needs only an object with `get`. The classes of `prom-client` cannot be used, because they accept
  // observations only one by one.
  const register = (name: string, metric: Metric, values: () => readonly Value[]) => {
    const { type, meaning: help } = metric
    const get = () => Promise.resolve({ name, help, type, aggregator: 'sum', values: values() })
    registry.registerMetric({ name, get, reset: () => undefined } as unknown as PromMetric)
  }
  for (const [name, metric] of Object.entries(gathered) as [GatheredName, Metric][])
    register(name, metric, () => samplesOf(sources[name]()).map((found) => valueOf(metric, found)))
  for (const [name, metric] of Object.entries(countedMetrics) as [TalliedName, Metric][])
    register(name, metric, () =>
      metric.type === 'histogram'
        ? (tallies.durations.get(name)?.distributions() ?? []).flatMap((found) =>
            bucketsOf(name, metric, found),
          )
        : countedIn(tallies, name, metric).map((found) => valueOf(metric, found)),
    )
  return {
    contentType: registry.contentType,
    text: (): Promise<string> => {
      tallies.catchUp()
      return registry.metrics()
    },
  }
}

/**
 * Registers the process metrics of `prom-client`, except the event loop's delay: measuring it wakes the process every
 * 10 ms, which costs as much as all other measurements for a hundred requests. `quire_event_loop_lateness_seconds`
 * replaces it.
 */
function collectOfProcess(register: promClient.Registry): void {
  promClient.collectDefaultMetrics({ register, eventLoopMonitoringPrecision: onceInHours })
  for (const name of ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'])
    register.removeSingleMetric(`nodejs_eventloop_lag_${name}_seconds`)
}

/**
 * In milliseconds. `prom-client` always measures the event loop's delay, but with this interval only every few hours.
 */
const onceInHours = 10_000_000

const valueOf = ({ labels }: Metric, { labels: values, value }: Sample): Value => ({
  labels: labelled(labels, values),
  value,
})

function bucketsOf(
  name: string,
  { labels: names }: Metric,
  { labels: values, counts, sum }: Distribution,
): readonly Value[] {
  const labels = labelled(names, values)
  let count = 0
  const buckets = counts.map((more, at) => {
    count += more
    const le = bucketBounds[at] ?? '+Inf'
    return { labels: { le, ...labels }, value: count, metricName: `${name}_bucket` }
  })
  return [
    ...buckets,
    { labels, value: sum, metricName: `${name}_sum` },
    { labels, value: count, metricName: `${name}_count` },
  ]
}

/** Returns the counts of a metric. A metric without labels that was never counted is 0. */
function countedIn(
  { counts }: RequestMetrics,
  name: TalliedName,
  { labels }: Metric,
): readonly Sample[] {
  const found = counts.get(name)?.samples() ?? []
  return found.length === 0 && labels.length === 0 ? samplesOf(0) : found
}

const samplesOf = (found: number | readonly Sample[] | undefined): readonly Sample[] =>
  typeof found === 'number' ? [{ labels: [], value: found }] : (found ?? [])

const labelled = (names: readonly string[], values: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']))
