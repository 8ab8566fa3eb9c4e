import type { Logger } from 'pino'
import type { StorageProvider } from './storage-provider.js'
import type { PendingContents } from './pending-contents.js'

/** Removes content without an entry, now and every five minutes. The returned function waits for a running sweep. */
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
 * Age at which an unfinished put counts as abandoned: more than the difference between the clocks of two machines that
 * share a store.
 */
const abandonedMs = 60 * 60_000

/**
 * Removes unfinished puts of killed processes, now and every hour. The returned function does not wait for a running
 * sweep, because a store may be slow.
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
