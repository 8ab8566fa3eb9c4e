import { connectionsLost } from '../../engine/database/client.js'
import { indexBuilds } from '../../engine/database/ensure-indexes.js'
import type { QueueFigures } from '../../workers/admission.js'
import type { Sample, Sources } from '../metrics/metrics-table.js'
import type { OpenServices } from './open-services.js'

/**
 * Returns, for each metric, a function that reads its current value.
 * @param connections returns the current number of open connections
 */
export function metricSources(
  measured: OpenServices['measured'],
  connections: () => number,
): Sources {
  const { client, admission, outputBuffers, pool, patterns, pictures, cache, answers, repairer } =
    measured
  const { indexer, signals, restarts, registry, purging } = measured
  const byQueue = (of: (queue: QueueFigures) => number) => (): readonly Sample[] =>
    admission.figures().queues.map((queue) => ({ labels: [queue.name], value: of(queue) }))
  const byLevel = (of: 'hits' | 'misses' | 'entries' | 'bytes') => (): readonly Sample[] =>
    cache.figures().map((level) => ({ labels: [level.level], value: level[of] }))
  return {
    quire_lane_running: byQueue(({ running }) => running),
    quire_lane_waiting: byQueue(({ waiting }) => waiting),
    quire_lane_admitted_total: byQueue(({ admitted }) => admitted),
    quire_lane_refused_total: byQueue(({ refused }) => refused),
    quire_lane_expired_total: byQueue(({ expired }) => expired),
    quire_waiting_requests: () => admission.figures().waiting,
    quire_waiting_bytes: () => admission.figures().waitingBytes,
    quire_event_loop_lateness_seconds: () => admission.lateness() / 1000,
    quire_pool_threads: () => pool.figures().threads,
    quire_pool_thread_deaths_total: () => pool.figures().deaths,
    quire_query_cache_hits_total: byLevel('hits'),
    quire_query_cache_misses_total: byLevel('misses'),
    quire_query_cache_entries: byLevel('entries'),
    quire_query_cache_bytes: byLevel('bytes'),
    quire_answer_memory_hits_total: () => answers?.figures().hits,
    quire_answer_memory_misses_total: () => answers?.figures().misses,
    quire_answer_memory_entries: () => answers?.figures().entries,
    quire_answer_memory_bytes: () => answers?.figures().bytes,
    quire_cache_purges_total: () => {
      const figures = purging?.figures()
      return figures && byOutcome(figures.sent, figures.failed)
    },
    quire_cache_purge_keys_waiting: () => purging?.figures().waiting,
    quire_cache_purge_waited_seconds: () => seconds(purging?.figures().waitedMs),
    quire_database_restarts_total: restarts,
    quire_database_connections_lost_total: () => connectionsLost(client),
    quire_index_builds_running: () => indexBuilds(client).running,
    quire_index_builds_total: () => {
      const { done, failed } = indexBuilds(client)
      return byOutcome(done, failed)
    },
    quire_automatic_indexes: () => indexer.figures().made,
    quire_automatic_indexes_bytes: () => indexer.figures().bytes,
    quire_noted_shapes: () => indexer.figures().noted,
    quire_repair_running: () => Number(repairer.figures().isRunning),
    quire_repairs_total: () =>
      [...repairer.figures().found].map(([kind, value]) => ({ labels: [kind], value })),
    quire_repair_failures_total: () => repairer.figures().failures,
    quire_change_stream_open: () => {
      const { isListening } = signals.figures()
      return isListening === undefined ? undefined : Number(isListening)
    },
    quire_change_stream_lag_seconds: () => seconds(signals.figures().pulseMs),
    quire_credentials_age_seconds: () => seconds(signals.figures().confirmedAgoMs),
    quire_unsent_bytes: () => outputBuffers.bytes(),
    quire_http_connections: connections,
    quire_pictures_running: () => pictures.figures().running,
    quire_pictures_waiting: () => pictures.figures().waiting,
    quire_picture_process_deaths_total: () => pictures.figures().deaths,
    quire_patterns_waiting: patterns.waiting,
    quire_schema_version: () => registry().version,
  }
}

const byOutcome = (done: number, failed: number): readonly Sample[] => [
  { labels: ['done'], value: done },
  { labels: ['failed'], value: failed },
]

/** Converts milliseconds to seconds. Returns undefined if the value is not known yet. */
const seconds = (ms: number | undefined): number | undefined =>
  ms === undefined || ms === Infinity ? undefined : ms / 1000
