/** `npm run soak`: a mixed load for a long time, a report with plots, and a verdict. */
import { createClosers } from './bench/closers.js'
import { parseOptions, usage, type SoakOptions } from './soak/options.js'
import { runSoak } from './soak/run-soak.js'

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
  const { passes } = await runSoak(readOptions(), closers, output)
  if (!passes) process.exitCode = 1
} catch (error) {
  print(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
} finally {
  await closers.closeAll()
}

function readOptions(): SoakOptions {
  try {
    return parseOptions(process.argv.slice(2), process.env)
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`)
    process.exit(2)
  }
}

function print(text: string): void {
  clearProgress()
  console.log(text)
}

/** One line that changes, on a terminal; nothing in a log. */
function onProgress(what: string): void {
  if (!process.stderr.isTTY) return
  clearProgress()
  process.stderr.write(`${what} …`)
}

function clearProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
}
