/** What the benchmark asks of the probe in a server's process. */
export type ProbeOrder = Readonly<{ kind: 'begin' | 'end' }>

/** What a server's process did between `begin` and `end`. */
export type ProbeReport = Readonly<{
  kind: 'report'
  /** CPU time of all its threads, in milliseconds. */
  cpuMs: number
  /** Delay of the main thread's event loop: p99 and the longest, in milliseconds. */
  delayP99Ms: number
  delayMaxMs: number
}>
