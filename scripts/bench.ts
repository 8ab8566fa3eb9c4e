/** `npm run bench`: compares Quire with minimal hand-written servers, on generated data. */
import { createClosers } from './closers.js'
import { parseOptions } from './bench/options.js'
import { runAnswers } from './bench/run-answers.js'
import { runBench } from './bench/run-bench.js'
import { runBulk } from './bench/run-bulk.js'
import { runGrowth } from './bench/run-growth.js'
import { runIndexes } from './bench/run-indexes.js'
import { stopOnSignals } from '../server/lifecycle/stop-on-signals.js'
import { parseOrExit, print, printError } from './terminal.js'

const commands = {
  bench: runBench,
  growth: runGrowth,
  answers: runAnswers,
  indexes: runIndexes,
  bulk: runBulk,
}
const closers = createClosers()
const options = parseOrExit(parseOptions)
const stopping = stopOnSignals()
stopping.addEventListener('abort', () => void closers.closeAll().then(() => process.exit(130)))

try {
  await commands[options.command]({ options, closers, print })
} catch (error) {
  // Errors after a stop result from stopping the benchmark.
  if (!stopping.aborted) printError(error)
  process.exitCode = 1
} finally {
  await closers.closeAll()
}
