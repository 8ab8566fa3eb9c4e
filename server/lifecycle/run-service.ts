import { loadConfig } from '../settings/config.js'
import { startQuire, type Quire } from './start.js'

/** The process: configuration, start, signals, exit codes (0 after a signal, 1 where it cannot run). */
async function main(): Promise<void> {
  const config = loadConfig()
  const starting = startQuire(config)
  const isStopping = stopOnSignals(starting)
  const quire = await starting
  const { services, url } = quire
  if (!isStopping()) services.log.info({ url }, `Quire is ready at ${url}`)
}

/** Who is told to stop during its start first gets there: what is half open cannot be closed. */
function stopOnSignals(starting: Promise<Quire>): () => boolean {
  let stopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // Who asks twice does not want to wait.
      if (stopping) process.exit(1)
      stopping = true
      void starting.then(
        async (quire) => {
          await quire.stop()
          quire.services.log.info('Quire has stopped')
          process.exit(0)
        },
        // A start that fails is told of where it is awaited.
        () => undefined,
      )
    })
  }
  return () => stopping
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
