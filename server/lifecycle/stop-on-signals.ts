import { monotonicNow } from '../../engine/monotonic-now.js'

/**
 * Time in milliseconds within which repeated signals count as one. A single Ctrl+C can arrive twice: the terminal sends
 * it to every process, and npm forwards it.
 */
const samePressMs = 1000

/**
 * Returns a signal that is aborted on the first SIGINT or SIGTERM. A second SIGINT or SIGTERM, at least `samePressMs`
 * later, ends the process at once.
 */
export function stopOnSignals(): AbortSignal {
  const controller = new AbortController()
  let firstAt: number | undefined
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      firstAt ??= monotonicNow()
      if (monotonicNow() - firstAt >= samePressMs) process.exit(1)
      controller.abort()
    })
  }
  return controller.signal
}
