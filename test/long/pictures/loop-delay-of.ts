/** Node options of a service. It prints the delay of its event loop since the last SIGHUP when it exits. */
export const loopDelayOptions: readonly string[] = [
  '--import',
  new URL('loop-delay.js', import.meta.url).href,
]

/** Extracts the delay from a service's standard error: `loop delay {"p50":10,"p99":12,"max":80} ms`. */
export const loopDelayOf = (stderr: string): string =>
  `${/loop delay .*/.exec(stderr)?.[0] ?? 'loop delay unknown:'} ms`
