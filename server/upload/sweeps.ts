import type { Logger } from 'pino'
import type { StorageProvider } from './storage-provider.js'
import type { PendingContents } from './pending-contents.js'

/**
 * Removes content to which no entry refers, at once and then every five minutes. Returns a function that stops the
 * sweeps and waits for a running sweep.
 */
export const sweepContents = (contents: PendingContents, log: Logger) =>
  nowAndEvery(5 * 60_000, async () => {
    try {
      const count = await contents.sweep()
      if (count > 0) log.info({ count }, 'Orphaned file content was deleted')
    } catch (err) {
      log.warn({ err }, 'Orphaned file content could not be deleted')
    }
  })

/**
 * Time in ms after which an unfinished put counts as abandoned if nothing was written to it. Other services may share
 * the store, so this time is longer than the clocks of two machines differ.
 */
const abandonedMs = 60 * 60_000

/**
 * Removes unfinished puts of killed processes, at once and then every hour. Returns a function that stops the sweeps;
 * it does not wait for a running sweep, because a store may be slow.
 */
export function sweepUnfinished(providers: readonly StorageProvider[], log: Logger): () => void {
  const stop = nowAndEvery(abandonedMs, async () => {
    for (const { name: provider, removeUnfinished } of providers) {
      try {
        const count = await removeUnfinished(abandonedMs)
        if (count > 0) log.info({ count, provider }, 'Unfinished files were deleted')
      } catch (err) {
        log.warn({ err, provider }, 'Unfinished files could not be deleted')
      }
    }
  })
  return () => void stop()
}

function nowAndEvery(ms: number, sweep: () => Promise<void>): () => Promise<void> {
  let running = sweep()
  const timer = setInterval(() => {
    running = running.then(sweep)
  }, ms).unref()
  return () => {
    clearInterval(timer)
    return running
  }
}
