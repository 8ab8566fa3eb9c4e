/** What the probe in a service's process tells of it, each second. Bytes, and milliseconds. */
export type OwnFigures = Readonly<{
  rss: number
  heapUsed: number
  /** What was used when all garbage had been collected last; null before. */
  heapKept: number | null
  external: number
  arrayBuffers: number
  /** p99 of the event loop's delay since the last. */
  loopDelay: number
  /** Sockets, timers and whatever else keeps it running. */
  handles: number
}>
