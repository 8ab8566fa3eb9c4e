import { monitorEventLoopDelay } from 'node:perf_hooks'

/**
 * Loaded into the service (`--import`): it writes at its end how long its event loop was held up, since it was last
 * sent SIGHUP. Not into the processes that it starts.
 */
if (process.argv[1]?.endsWith('main.js') === true) {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  process.on('SIGHUP', () => delay.reset())
  process.on('exit', () => {
    const inMs = (nanoseconds: number) => Math.round(nanoseconds / 1e6)
    const said = {
      p50: inMs(delay.percentile(50)),
      p99: inMs(delay.percentile(99)),
      max: inMs(delay.max),
    }
    process.stderr.write(`loop delay ${JSON.stringify(said)}\n`)
  })
}
