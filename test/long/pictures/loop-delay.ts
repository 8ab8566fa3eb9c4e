import { monitorEventLoopDelay } from 'node:perf_hooks'

/** At exit, prints the delay of the event loop since the last SIGHUP. Does nothing in child processes. */
if (process.argv[1]?.endsWith('main.js') === true) {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  process.on('SIGHUP', () => delay.reset())
  process.on('exit', () => {
    const inMs = (nanoseconds: number) => Math.round(nanoseconds / 1e6)
    const figures = {
      p50: inMs(delay.percentile(50)),
      p99: inMs(delay.percentile(99)),
      max: inMs(delay.max),
    }
    process.stderr.write(`loop delay ${JSON.stringify(figures)}\n`)
  })
}
