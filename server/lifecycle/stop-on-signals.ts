import { monotonicNow } from '../../engine/monotonic-now.js'

/**
 * In milliseconds. Signals within this time count as one: after Ctrl+C, the terminal sends one to every process, and
 * npm forwards one.
 */
const samePressMs = 1000

/**
 * Returns an `AbortSignal` that is aborted on the first SIGINT or SIGTERM. A signal more than `samePressMs` later ends
 * the process at once.
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
