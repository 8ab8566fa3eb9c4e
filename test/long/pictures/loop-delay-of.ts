/** Node's options for a service that tells at its end how long its event loop was held up, since SIGHUP. */
export const loopDelayOptions: readonly string[] = [
  '--import',
  new URL('loop-delay.js', import.meta.url).href,
]

/** What it told on standard error: `loop delay {"p50":10,"p99":12,"max":80} ms`. */
export const loopDelayOf = (stderr: string): string =>
  `${/loop delay .*/.exec(stderr)?.[0] ?? 'loop delay unknown:'} ms`
