/** Limits and times that operators cannot change. Part of `Settings`, so that tests can pass smaller values. */
export const constants = {
  /** Limits the work of tracking queued requests; their bytes have a limit of their own. */
  'http.maxQueued': 1000,
  /** A few network round trips, so that requests sent before the shutdown still arrive. */
  'http.shutdownGraceMs': 1000,
  /** Maximum length of the header with cache keys. nginx allows 4 KB for all headers of a response by default. */
  'http.cache.keyBytes': 3072,
  /** Longer than a response takes to reach a cache. `fromOthers` raises this if cached responses can be stale. */
  'http.cache.purgeAgainMs': 5000,
  'auth.providerTimeoutMs': 5000,
  /**
   * How long after a write the client's reads use the primary. A secondary that lags by more than a heartbeat of its
   * replica set gets no reads.
   */
  'database.ownWritesMs': 10_000,
  /** Free disk space below which writes are rejected: more than the engine writes between two checks. */
  'database.minFreeBytes': 67_108_864,
  /** Time to match a string against a pattern. A match that takes longer is an attack, and delays all other matches. */
  'patterns.timeoutMs': 1000,
  /** As many checks as can run within the time limit of a write. */
  'patterns.queueLimit': 10,
  /** This and the removal of partial content fit into the time limit of a write, so that the client gets a response. */
  'upload.s3.timeoutMs': 10_000,
  'upload.s3.attempts': 3,
  'upload.maxFiles': 20,
  /** Enough for the default `upload.sizeLimit`. `fromOthers` raises this for larger files. */
  'upload.timeoutMs': 900_000,
  'upload.queueLimit': 100,
  /** About as long as a browser and its user wait. */
  'upload.queueTimeoutMs': 120_000,
  /** How long replaced content is kept: longer than somebody reads a page that contains the content's address. */
  'upload.keepReplacedMs': 3_600_000,
} as const satisfies Record<string, number>

export type Constants = { readonly [K in keyof typeof constants]: number }
