/**
 * Limits and times that operators need not choose. They are part of `Settings` under names of the same form, so that
 * tests can use smaller ones. Neither the file nor the environment changes them.
 */
export const constants = {
  /**
   * Maximum number of queued requests. Their bytes are limited separately; this one limits the work of tracking them.
   */
  'http.maxQueued': 1000,
  /** Long enough for requests that were sent before the shutdown to arrive: a few round trips. */
  'http.shutdownGraceMs': 1000,
  /** Longer than a response takes to reach a cache. `fromOthers` raises it if cached responses may be stale. */
  'http.cache.purgeAgainMs': 5000,
  'auth.providerTimeoutMs': 5000,
  /** A secondary that is further behind than one heartbeat of its replica set gets no reads. */
  'database.ownWritesMs': 10_000,
  /** More than the engine writes between two checks of the disk space. */
  'database.minFreeBytes': 67_108_864,
  /** A pattern that needs longer for one text is an attack, and blocks the others. */
  'patterns.timeoutMs': 1000,
  /** As many as can run within the time of a write. */
  'patterns.queueLimit': 10,
  /**
   * Together with the removal of partial content, less than the time of a write, so that the client gets a response.
   */
  'upload.s3.timeoutMs': 10_000,
  'upload.s3.attempts': 3,
  'upload.maxFiles': 20,
  /** Enough for the default of `upload.sizeLimit`. `fromOthers` raises it for larger files. */
  'upload.timeoutMs': 900_000,
  'upload.queueLimit': 100,
  /** As long as a browser and its user wait. */
  'upload.queueTimeoutMs': 120_000,
  /** Longer than somebody reads a page with the previous address. */
  'upload.keepReplacedMs': 3_600_000,
} as const satisfies Record<string, number>

export type Constants = { readonly [K in keyof typeof constants]: number }
