/**
 * Limits and times that operators need not choose. Neither the configuration file nor the environment can change them.
 * They are part of `Settings` and named like settings, so that tests can pass smaller values.
 */
export const constants = {
  /**
   * Maximum number of queued requests. Their bytes have a limit of their own; this one limits the work of tracking the
   * requests.
   */
  'http.maxQueued': 1000,
  /**
   * Grace period of the shutdown: a few network round trips, so that requests that were sent before the shutdown still
   * arrive.
   */
  'http.shutdownGraceMs': 1000,
  /**
   * Time between the two purges of a key: longer than a response takes to reach a cache. If cached responses can be
   * stale, `fromOthers` in `read-settings.ts` raises this value.
   */
  'http.cache.purgeAgainMs': 5000,
  'auth.providerTimeoutMs': 5000,
  /**
   * How long after a write the client's reads use the primary. After that time, secondaries are recent enough: a
   * secondary that lags by more than a heartbeat of its replica set gets no reads.
   */
  'database.ownWritesMs': 10_000,
  /** Free disk space below which writes are rejected: more than the database engine writes between two checks. */
  'database.minFreeBytes': 67_108_864,
  /**
   * Maximum time for matching one string against a pattern. A match that takes longer is an attack, and delays all
   * other checks.
   */
  'patterns.timeoutMs': 1000,
  /** Maximum number of queued pattern checks: as many as can run within the time limit of a write. */
  'patterns.queueLimit': 10,
  /**
   * Time limit of a request to S3. Together with the removal of partial content, it is shorter than the time limit of a
   * write, so that the client still gets a response.
   */
  'upload.s3.timeoutMs': 10_000,
  'upload.s3.attempts': 3,
  'upload.maxFiles': 20,
  /**
   * Time limit for storing the files of a request: enough for a file of the default `upload.sizeLimit`. If larger files
   * are allowed, `fromOthers` in `read-settings.ts` raises this value.
   */
  'upload.timeoutMs': 900_000,
  'upload.queueLimit': 100,
  /** How long an upload may wait in the queue: about as long as a browser and its user wait. */
  'upload.queueTimeoutMs': 120_000,
  /** How long replaced content stays available: longer than somebody reads a page that contains its address. */
  'upload.keepReplacedMs': 3_600_000,
} as const satisfies Record<string, number>

export type Constants = { readonly [K in keyof typeof constants]: number }
