/** `npm run soak`: a mixed load for a long time, a report with plots, and a verdict. */
import { createClosers } from './bench/closers.js'
import { parseOptions, usage } from './soak/options.js'
import { runSoak } from './soak/run-soak.js'
import { onProgress } from '../cli/progress.js'
import { optionsOr, print } from './terminal.js'

const closers = createClosers()
const stopping = new AbortController()

for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    // Who asks twice does not want the report.
    if (stopping.signal.aborted) process.exit(130)
    stopping.abort()
  })
}

try {
  const output = { print, onProgress, signal: stopping.signal }
  const options = optionsOr(usage, () => parseOptions(process.argv.slice(2), process.env))
  const { passes } = await runSoak(options, closers, output)
  if (!passes) process.exitCode = 1
} catch (error) {
  print(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
} finally {
  await closers.closeAll()
}
