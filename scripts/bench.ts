/** `npm run bench`: Quire beside hand-written servers, in one run, on data of its own. */
import { createClosers } from './bench/closers.js'
import { parseOptions, usage } from './bench/options.js'
import { runAnswers } from './bench/run-answers.js'
import { runBench } from './bench/run-bench.js'
import { runBulk } from './bench/run-bulk.js'
import { runGrowth } from './bench/run-growth.js'
import { runIndexes } from './bench/run-indexes.js'
import { runLanes } from './bench/run-lanes.js'
import { runTelemetry } from './bench/run-telemetry.js'
import { clearProgress, onProgress } from '../cli/progress.js'
import { optionsOr, print } from './terminal.js'

const closers = createClosers()
let stopping = false

for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    // Who asks twice does not want to wait.
    if (stopping) process.exit(130)
    stopping = true
    console.error('\nStopping …')
    void closers.closeAll().then(() => process.exit(130))
  })
}

try {
  const options = optionsOr(usage, () => parseOptions(process.argv.slice(2)))
  const output = { print, onProgress }
  if (options.command === 'lanes') await runLanes(options, closers, output)
  else if (options.command === 'growth') await runGrowth(options, closers, output)
  else if (options.command === 'telemetry') await runTelemetry(options, closers, output)
  else if (options.command === 'answers') await runAnswers(options, closers, output)
  else if (options.command === 'indexes') await runIndexes(options, closers, output)
  else if (options.command === 'bulk') await runBulk(options, closers, output)
  else await runBench(options, closers, output)
} catch (error) {
  // What fails while it is being stopped is of no interest.
  if (!stopping) {
    clearProgress()
    console.error(error instanceof Error ? error.message : String(error))
  }
  process.exitCode = 1
} finally {
  await closers.closeAll()
}
