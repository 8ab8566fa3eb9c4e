/**
 * Bounds and times that no operator could choose better. They are part of `Settings` under names of the same form, so
 * that a test can have smaller ones; neither the file nor the environment changes them.
 */
export const constants = {
  /** Requests that may wait. Their bytes have a bound of their own; this one keeps the work of tracking them small. */
  'http.maxQueued': 1000,
  /** A few round trips: the time in which a request that was sent before the shutdown arrives. */
  'http.shutdownGraceMs': 1000,
  /** Longer than an answer takes to reach a cache. `fromOthers` raises it if answers out of memory may be late. */
  'http.cache.purgeAgainMs': 5000,
  'auth.providerTimeoutMs': 5000,
  /** A secondary that is further behind than one heartbeat of its replica set gets no reads. */
  'database.ownWritesMs': 10_000,
  /** What the engine writes at most between two polls of the room, with much to spare. */
  'database.minFreeBytes': 67_108_864,
  /** A pattern that needs longer for one text is an attack, and the others wait for it. */
  'patterns.timeoutMs': 1000,
  /** As many as have their turn within the time of a write. */
  'patterns.queueLimit': 10,
  /** With the removal of partial content it is less than the time of a write, so that the client gets an answer. */
  'upload.s3.timeoutMs': 10_000,
  'upload.s3.attempts': 3,
  'upload.maxFiles': 20,
  /** Enough for the default of `upload.sizeLimit`; `fromOthers` raises it for larger files. */
  'upload.timeoutMs': 900_000,
  'upload.queueLimit': 100,
  /** What a browser and its user wait for. */
  'upload.queueTimeoutMs': 120_000,
  /** Longer than somebody reads a page that has the former address. */
  'upload.keepReplacedMs': 3_600_000,
} as const satisfies Record<string, number>

export type Constants = { readonly [K in keyof typeof constants]: number }
