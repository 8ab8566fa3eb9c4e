import type { Metric as PromMetric } from 'prom-client'
import promClient from 'prom-client'
import {
  gathered,
  tallied,
  type GatheredName,
  type Metric,
  type Sample,
  type Sources,
  type TalliedName,
} from './metrics-table.js'
import type { Tallies } from './tallies.js'
import { bucketBounds, type Distribution } from './tally.js'

/** All metrics of the process as Prometheus reads them. */
export type Metrics = ReturnType<typeof createMetrics>

type Value = Readonly<{
  labels: Readonly<Record<string, string | number>>
  value: number
  metricName?: string
}>

/** The metrics of the table, and of the process what `prom-client` knows by itself. */
export function createMetrics(tallies: Tallies, sources: Sources) {
  const registry = new promClient.Registry()
  collectOfProcess(registry)
  // The registry asks a metric for its values; those of `prom-client`'s own classes can only be observed one by one.
  const register = (name: string, metric: Metric, values: () => readonly Value[]) => {
    const { type, meaning: help } = metric
    const get = () => Promise.resolve({ name, help, type, aggregator: 'sum', values: values() })
    registry.registerMetric({ name, get, reset: () => undefined } as unknown as PromMetric)
  }
  for (const [name, metric] of Object.entries(gathered) as [GatheredName, Metric][])
    register(name, metric, () => samplesOf(sources[name]()).map((found) => valueOf(metric, found)))
  for (const [name, metric] of Object.entries(tallied) as [TalliedName, Metric][])
    register(name, metric, () =>
      metric.type === 'histogram'
        ? (tallies.durations.get(name)?.distributions() ?? []).flatMap((found) =>
            bucketsOf(name, metric, found),
          )
        : countedIn(tallies, name, metric).map((found) => valueOf(metric, found)),
    )
  return {
    contentType: registry.contentType,
    /** Asks for what is gathered, and writes everything down. */
    text: (): Promise<string> => {
      tallies.catchUp()
      return registry.metrics()
    },
  }
}

/**
 * What `prom-client` knows of the process by itself, but its distribution of the loop's delay: that wakes the process a
 * hundred times a second, which costs as much as all else that is measured of a hundred requests, and each of its
 * values holds the ten milliseconds that it waits. `quire_event_loop_lateness_seconds` tells the same.
 */
function collectOfProcess(register: promClient.Registry): void {
  promClient.collectDefaultMetrics({ register, eventLoopMonitoringPrecision: onceInHours })
  for (const name of ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'])
    register.removeSingleMetric(`nodejs_eventloop_lag_${name}_seconds`)
}

/** In milliseconds; it cannot be switched off. */
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

/** What has no labels is 0 before it happens. */
function countedIn({ counts }: Tallies, name: TalliedName, { labels }: Metric): readonly Sample[] {
  const found = counts.get(name)?.samples() ?? []
  return found.length === 0 && labels.length === 0 ? samplesOf(0) : found
}

const samplesOf = (found: number | readonly Sample[] | undefined): readonly Sample[] =>
  typeof found === 'number' ? [{ labels: [], value: found }] : (found ?? [])

const labelled = (names: readonly string[], values: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']))
