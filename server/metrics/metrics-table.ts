/** A metric of Prometheus. `docs/metrics.md` shows this table. */
export type Metric = Readonly<{
  type: 'counter' | 'gauge' | 'histogram'
  labels: readonly string[]
  meaning: string
}>

const metric =
  (type: Metric['type']) =>
  (meaning: string, ...labels: readonly string[]): Metric => ({ type, labels, meaning })
const counter = metric('counter')
const gauge = metric('gauge')
const histogram = metric('histogram')

/** Counted while requests and commands run. Labels have a bounded number of values: patterns, never paths. */
export const tallied = {
  quire_http_requests_total: counter(
    'Requests that are over. `route` is the pattern, `unmatched` where there is none; `type` the uid of a content-type, or empty',
    'method',
    'route',
    'type',
    'status',
  ),
  quire_http_request_duration_seconds: histogram(
    'How long a request took, until its client had the whole answer',
    'method',
    'route',
  ),
  quire_http_requests_aborted_total: counter(
    'Requests whose client was gone before it had the whole answer',
  ),
  quire_slow_requests_total: counter(
    'Requests that took longer than `log.slowRequestMs`, without what their clients took to send and receive, and their files to be stored',
  ),
  quire_request_stage_duration_seconds: histogram(
    'How long a stage of a request took; a request may come through one several times, and `thread` and `read-back` hold others',
    'stage',
  ),
  quire_mongodb_command_duration_seconds: histogram(
    'How long a command took, from sending it to its answer; those of the service itself are counted too',
    'kind',
  ),
  quire_mongodb_command_failures_total: counter(
    'Commands that the database refused or did not answer',
    'kind',
  ),
} as const satisfies Record<string, Metric>

/** Collected when the metrics are read. */
export const gathered = {
  quire_lane_running: gauge('What a line runs: reads of a lane, writes, uploads', 'lane'),
  quire_lane_waiting: gauge('What waits for a turn in a line', 'lane'),
  quire_lane_admitted_total: counter('What had its turn', 'lane'),
  quire_lane_refused_total: counter('What was answered 503 instead of waiting', 'lane'),
  quire_lane_expired_total: counter(
    'What left its line without a turn: its time was over, or its client gone',
    'lane',
  ),
  quire_waiting_requests: gauge('What waits in all lines'),
  quire_waiting_bytes: gauge(
    'What it holds in memory; bounded by a quarter of `http.maxBodyMemory`',
  ),
  quire_event_loop_lateness_seconds: gauge('How late the event loop of the main thread is'),
  quire_pool_threads: gauge('Worker threads that run; bounded by `pool.threads`'),
  quire_pool_thread_deaths_total: counter('Worker threads that died while they had nothing to do'),
  quire_query_cache_hits_total: counter('Queries that were understood before', 'level'),
  quire_query_cache_misses_total: counter('Queries that were not', 'level'),
  quire_query_cache_entries: gauge('What is known of queries', 'level'),
  quire_query_cache_bytes: gauge('The memory that it takes, by estimate', 'level'),
  quire_answer_memory_hits_total: counter(
    'GETs that were answered from the memory of answers; absent where there is none',
  ),
  quire_answer_memory_misses_total: counter('GETs whose answer was not in it, or not any more'),
  quire_answer_memory_entries: gauge('Answers that are in it, those included that are out of date'),
  quire_answer_memory_bytes: gauge('The memory that they take; bounded by `cache.answers`'),
  quire_cache_purges_total: counter(
    'Requests to `http.cache.purgeUrl`; absent where there is none',
    'outcome',
  ),
  quire_cache_purge_keys_waiting: gauge('Keys of what has changed that were not taken there yet'),
  quire_cache_purge_waited_seconds: gauge('For how long the first of them has waited'),
  quire_database_restarts_total: counter(
    "How often the database's process was started again; 0 where others run it",
  ),
  quire_database_connections_lost_total: counter('Connections that the database has ended'),
  quire_index_builds_running: gauge('Commands of this process that build indexes now'),
  quire_index_builds_total: counter('Those that are done', 'outcome'),
  quire_automatic_indexes: gauge('Indexes that were made because of what is asked'),
  quire_automatic_indexes_bytes: gauge('What they take; bounded by `indexes.maxBytes`'),
  quire_noted_shapes: gauge('Shapes of queries of which it is known how often they are asked'),
  quire_repair_running: gauge('1 while a repair looks for what interrupted writes left behind'),
  quire_repair_mended_total: counter('What it found and mended', 'kind'),
  quire_repair_failures_total: counter('Repairs that could not be finished and are tried again'),
  quire_change_stream_open: gauge(
    'Whether changes of other instances arrive by a change stream; absent where no other can run',
  ),
  quire_change_stream_lag_seconds: gauge(
    'How long the latest pulse took from being written to its return through the stream',
  ),
  quire_credentials_age_seconds: gauge(
    'How long ago the database confirmed what is kept of credentials; grows while nobody calls',
  ),
  quire_unsent_bytes: gauge(
    'Bytes of answers that clients have not taken; bounded by `http.maxUnsentBytes`',
  ),
  quire_http_connections: gauge('Connections that are open; bounded by `http.maxConnections`'),
  quire_pictures_running: gauge('Pictures that are drawn'),
  quire_pictures_waiting: gauge('Pictures that wait'),
  quire_picture_process_deaths_total: counter('Processes that draw pictures and died'),
  quire_patterns_waiting: gauge('Writes that wait for patterns that need backtracking'),
  quire_schema_version: gauge('The number of the definitions that are served'),
} as const satisfies Record<string, Metric>

export type TalliedName = keyof typeof tallied
export type GatheredName = keyof typeof gathered

/** One value of a metric, with its labels in the table's order. A metric without labels has just a number. */
export type Sample = Readonly<{ labels: readonly string[]; value: number }>

/** Sources of the gathered metrics; undefined = not available here. */
export type Sources = Readonly<Record<GatheredName, () => number | readonly Sample[] | undefined>>
