/** A Prometheus metric; listed in `docs/metrics.md`. */
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

/**
 * Metrics that are counted when a request or command ends. Their labels have few different values: the patterns of
 * routes, but never paths.
 */
export const countedMetrics = {
  quire_http_requests_total: counter(
    'Finished requests. `route` is the pattern, or `unmatched`; `type` is the uid of a content-type, or empty',
    'method',
    'route',
    'type',
    'status',
  ),
  quire_http_request_duration_seconds: histogram(
    'Duration of requests, until the client had the whole response',
    'method',
    'route',
  ),
  quire_http_requests_aborted_total: counter(
    'Requests whose client disconnected before it had the whole response',
  ),
  quire_slow_requests_total: counter(
    'Requests that took longer than `log.slowRequestMs`, not counting the time in which clients send and receive, and the time for storing files',
  ),
  quire_request_stage_duration_seconds: histogram(
    'Duration of the stages of requests. A request can run a stage several times; `thread` and `read-back` contain other stages',
    'stage',
  ),
  quire_mongodb_command_duration_seconds: histogram(
    'Duration of database commands, including those of the service itself',
    'kind',
  ),
  quire_mongodb_command_failures_total: counter('Database commands that failed', 'kind'),
} as const satisfies Record<string, Metric>

/** Metrics whose values are collected when they are read. */
export const gathered = {
  quire_lane_running: gauge(
    'Running tasks of a queue: reads of an execution mode, writes, uploads',
    'lane',
  ),
  quire_lane_waiting: gauge('Waiting tasks of a queue', 'lane'),
  quire_lane_admitted_total: counter('Tasks that a queue started', 'lane'),
  quire_lane_refused_total: counter('Requests that got 503 instead of waiting in a queue', 'lane'),
  quire_lane_expired_total: counter(
    'Tasks that left a queue before they started, after a timeout or a disconnect',
    'lane',
  ),
  quire_waiting_requests: gauge('Waiting requests in all queues'),
  quire_waiting_bytes: gauge(
    'Memory of waiting requests; limited to a quarter of `http.maxBodyMemory`',
  ),
  quire_event_loop_lateness_seconds: gauge('Delay of the event loop of the main thread'),
  quire_pool_threads: gauge('Running worker threads; limited by `pool.threads`'),
  quire_pool_thread_deaths_total: counter('Worker threads that died while idle'),
  quire_query_cache_hits_total: counter('Queries found in the query cache', 'level'),
  quire_query_cache_misses_total: counter('Queries not found in the query cache', 'level'),
  quire_query_cache_entries: gauge('Entries of the query cache', 'level'),
  quire_query_cache_bytes: gauge('Estimated memory of the query cache', 'level'),
  quire_answer_memory_hits_total: counter(
    'GETs with a cached response; absent without a response cache',
  ),
  quire_answer_memory_misses_total: counter('GETs without a valid cached response'),
  quire_answer_memory_entries: gauge('Cached responses, including outdated ones'),
  quire_answer_memory_bytes: gauge('Memory of cached responses; limited by `cache.answers`'),
  quire_cache_purges_total: counter(
    'Requests to `http.cache.purgeUrl`; absent if it is not set',
    'outcome',
  ),
  quire_cache_purge_keys_waiting: gauge('Keys of changed content that wait to be purged'),
  quire_cache_purge_waited_seconds: gauge('Waiting time of the oldest of these keys'),
  quire_database_restarts_total: counter(
    "Restarts of the database's process; 0 if Quire does not run the database",
  ),
  quire_database_connections_lost_total: counter('Connections that the database closed'),
  quire_index_builds_running: gauge('Running index builds of this process'),
  quire_index_builds_total: counter('Finished index builds', 'outcome'),
  quire_automatic_indexes: gauge('Automatic indexes'),
  quire_automatic_indexes_bytes: gauge(
    'Size of the automatic indexes; limited by `indexes.maxBytes`',
  ),
  quire_noted_shapes: gauge('Query patterns whose frequency is counted'),
  quire_repair_running: gauge(
    '1 while a repair looks for inconsistencies that interrupted writes left',
  ),
  quire_repairs_total: counter('Inconsistencies that were repaired', 'kind'),
  quire_repair_failures_total: counter('Repairs that failed and will run again'),
  quire_change_stream_open: gauge(
    '1 if changes of other instances arrive by a change stream; absent if no other instance can run',
  ),
  quire_change_stream_lag_seconds: gauge(
    'Delay of the change stream, measured with the latest test message',
  ),
  quire_credentials_age_seconds: gauge(
    'Time since the database confirmed the cached credentials; grows without requests',
  ),
  quire_unsent_bytes: gauge(
    'Size of responses that clients have not received yet; limited by `http.maxUnsentBytes`',
  ),
  quire_http_connections: gauge('Open connections; limited by `http.maxConnections`'),
  quire_pictures_running: gauge('Pictures that are being resized'),
  quire_pictures_waiting: gauge('Pictures that wait to be resized'),
  quire_picture_process_deaths_total: counter('Processes for resizing pictures that died'),
  quire_patterns_waiting: gauge('Writes that wait for a slow pattern check'),
  quire_schema_version: gauge('Version number of the served definitions'),
} as const satisfies Record<string, Metric>

export type TalliedName = keyof typeof countedMetrics
export type GatheredName = keyof typeof gathered

/** Value of a metric. `labels` are the values of the metric's labels, in the order of their names. */
export type Sample = Readonly<{ labels: readonly string[]; value: number }>

/**
 * Functions that return the current values of metrics: a number for a metric without labels, undefined for a metric
 * that this process does not have.
 */
export type Sources = Readonly<Record<GatheredName, () => number | readonly Sample[] | undefined>>
