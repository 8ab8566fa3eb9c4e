import type { MongoClient } from 'mongodb'
import { connectionsLost } from '../../engine/database/client.js'
import { indexBuilds } from '../../engine/database/ensure-indexes.js'
import type { QueryCache } from '../../engine/read/query/known-queries.js'
import type { Registry } from '../../engine/schema/registry.js'
import type { Admission, LineFigures } from '../../workers/admission.js'
import type { PatternPool } from '../../workers/pattern-pool.js'
import type { Pool } from '../../workers/pool.js'
import type { AnswerMemory } from '../content/answer-memory.js'
import type { Purging } from '../purging/open-purging.js'
import type { Unsent } from '../http/unsent.js'
import type { Sample, Sources } from '../metrics/metrics-table.js'
import type { Indexer } from '../indexes/keep-indexed.js'
import type { Repairer } from '../repair/keep-repaired.js'
import type { Signals } from '../signals/signals.js'
import type { PicturePool } from '../upload/pictures/picture-pool.js'

/** What is open and can say how it does. */
export type Measured = Readonly<{
  client: MongoClient
  admission: Admission
  unsent: Unsent
  pool: Pool
  patterns: PatternPool
  pictures: PicturePool
  cache: QueryCache
  answers: AnswerMemory | undefined
  purging: Purging | undefined
  repairer: Repairer
  indexer: Indexer
  signals: Signals
  restarts: () => number
  registry: () => Registry
}>

/**
 * Where the metrics come from that are gathered when somebody asks.
 * @param connections how many are open
 */
export function metricSources(measured: Measured, connections: () => number): Sources {
  const { client, admission, unsent, pool, patterns, pictures, cache, answers, repairer } = measured
  const { indexer, signals, restarts, registry, purging } = measured
  const byLine = (of: (line: LineFigures) => number) => (): readonly Sample[] =>
    admission.figures().lines.map((line) => ({ labels: [line.name], value: of(line) }))
  const byLevel = (of: 'hits' | 'misses' | 'entries' | 'bytes') => (): readonly Sample[] =>
    cache.figures().map((level) => ({ labels: [level.level], value: level[of] }))
  return {
    quire_lane_running: byLine(({ running }) => running),
    quire_lane_waiting: byLine(({ waiting }) => waiting),
    quire_lane_admitted_total: byLine(({ admitted }) => admitted),
    quire_lane_refused_total: byLine(({ refused }) => refused),
    quire_lane_expired_total: byLine(({ expired }) => expired),
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
      if (purging === undefined) return undefined
      const { sent, failed } = purging.figures()
      return [
        { labels: ['done'], value: sent },
        { labels: ['failed'], value: failed },
      ]
    },
    quire_cache_purge_keys_waiting: () => purging?.figures().waiting,
    quire_cache_purge_waited_seconds: () => seconds(purging?.figures().waitedMs),
    quire_database_restarts_total: restarts,
    quire_database_connections_lost_total: () => connectionsLost(client),
    quire_index_builds_running: () => indexBuilds(client).running,
    quire_index_builds_total: () => {
      const { done, failed } = indexBuilds(client)
      return [
        { labels: ['done'], value: done },
        { labels: ['failed'], value: failed },
      ]
    },
    quire_automatic_indexes: () => indexer.figures().made,
    quire_automatic_indexes_bytes: () => indexer.figures().bytes,
    quire_noted_shapes: () => indexer.figures().noted,
    quire_repair_running: () => Number(repairer.figures().isRunning),
    quire_repair_mended_total: () =>
      [...repairer.figures().found].map(([kind, value]) => ({ labels: [kind], value })),
    quire_repair_failures_total: () => repairer.figures().failures,
    quire_change_stream_open: () => {
      const { isListening } = signals.figures()
      return isListening === undefined ? undefined : Number(isListening)
    },
    quire_change_stream_lag_seconds: () => seconds(signals.figures().pulseMs),
    quire_credentials_age_seconds: () => seconds(signals.figures().confirmedAgoMs),
    quire_unsent_bytes: () => unsent.bytes(),
    quire_http_connections: connections,
    quire_pictures_running: () => pictures.figures().running,
    quire_pictures_waiting: () => pictures.figures().waiting,
    quire_picture_process_deaths_total: () => pictures.figures().deaths,
    quire_patterns_waiting: patterns.waiting,
    quire_schema_version: () => registry().version,
  }
}

/** Undefined where it is not known (yet). */
const seconds = (ms: number | undefined): number | undefined =>
  ms === undefined || ms === Infinity ? undefined : ms / 1000
