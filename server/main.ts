import { loadConfig } from './config.js'
import { startQuire, type Quire } from './start.js'

/** The process: configuration, start, signals, exit codes (0 after a signal, 1 where it cannot run). */
async function main(): Promise<void> {
  const config = loadConfig()
  const quire = await startQuire(config, { onLost: () => process.exit(1) })
  stopOnSignals(quire)
  process.stdout.write(`Quire is ready at ${quire.url}\n`)
}

function stopOnSignals(quire: Quire): void {
  let stopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // Who asks twice does not want to wait.
      if (stopping) process.exit(1)
      stopping = true
      void quire.stop().then(() => process.exit(0))
    })
  }
}

/** Problems of the configuration, the schema or the database are told without a stack; defects are not. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return defects.some((kind) => error instanceof kind)
    ? (error.stack ?? error.message)
    : error.message
}

const defects = [TypeError, RangeError, ReferenceError]

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`)
  process.exit(1)
})
