import type { Logger } from 'pino'
import type { StorageProvider } from './storage-provider.js'

/**
 * Nobody still writes what was not written to for so long; other services may have the same store. More than the
 * clocks of two machines differ, too.
 */
const abandonedMs = 60 * 60_000

/** Removes what puts left behind whose process was killed, now and every hour; the answer stops it. */
export function sweepUnfinished(providers: readonly StorageProvider[], log: Logger): () => void {
  const sweep = async () => {
    for (const provider of providers) {
      try {
        const count = await provider.removeUnfinished(abandonedMs)
        if (count > 0)
          log.info({ count, provider: provider.name }, 'Files that were not finished were removed')
      } catch (err) {
        const said = { err, provider: provider.name }
        log.warn(said, 'Files that were not finished could not be removed')
      }
    }
  }
  void sweep()
  const timer = setInterval(() => void sweep(), abandonedMs)
  timer.unref()
  return () => clearInterval(timer)
}
