/** `npm run bench`: Quire beside hand-written servers, in one run, on data of its own. */
import { createClosers } from './bench/closers.js'
import { parseOptions, usage } from './bench/options.js'
import { runAnswers } from './bench/run-answers.js'
import { runBench } from './bench/run-bench.js'
import { runBulk } from './bench/run-bulk.js'
import { runGrowth } from './bench/run-growth.js'
import { runIndexes } from './bench/run-indexes.js'
import { clearProgress, onProgress } from '../cli/progress.js'
import { optionsOr, print } from './terminal.js'

const commands = {
  ...{ bench: runBench, growth: runGrowth, answers: runAnswers },
  ...{ indexes: runIndexes, bulk: runBulk },
}
const closers = createClosers()
let stopping = false

for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    // A second signal does not wait.
    if (stopping) process.exit(130)
    stopping = true
    console.error('\nStopping …')
    void closers.closeAll().then(() => process.exit(130))
  })
}

try {
  const options = optionsOr(usage(), () => parseOptions(process.argv.slice(2)))
  await commands[options.command]({ options, closers, print, onProgress })
} catch (error) {
  // Errors are expected once it is being stopped.
  if (!stopping) {
    clearProgress()
    console.error(error instanceof Error ? error.message : String(error))
  }
  process.exitCode = 1
} finally {
  await closers.closeAll()
}
