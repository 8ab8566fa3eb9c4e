/** What is known of one process or service at one moment; null where nobody tells. Bytes, and milliseconds. */
export type ProcessSample = Readonly<{
  rss: number | null
  heapUsed: number | null
  /** What of it was left when all garbage had been collected last. */
  heapKept: number | null
  external: number | null
  /** p99 of the event loop's delay. */
  loopDelay: number | null
  /** Open files, connections among them. */
  files: number | null
  /** Open sockets. */
  connections: number | null
  handles: number | null
}>

/** What was answered since the sample before. Milliseconds. */
export type KindSample = Readonly<{ requests: number; p50: number; p99: number }>

/** One line of `samples.jsonl`. */
export type Sample = Readonly<{
  /** Since the load began. */
  seconds: number
  isWarmUp: boolean
  requestsPerSecond: number
  errors: number
  p50: number
  p99: number
  kinds: Readonly<Record<string, KindSample>>
  /** Services and databases by name. */
  processes: Readonly<Record<string, ProcessSample>>
}>
