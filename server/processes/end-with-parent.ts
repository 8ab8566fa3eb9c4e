import { setImmediate as nextTurn } from 'node:timers/promises'
import { isMainThread } from 'node:worker_threads'

/**
 * Ends a child process when its parent has ended, however that happened. It must be the first import of a child's
 * entry: the event comes once, and may come while other modules are loaded.
 */

let stop = (): void => process.exit()

// Each thread of a process also loads the modules of `--import`. Threads have no channel, and end with their process.
if (isMainThread) {
  process.once('disconnect', () => stop())
  if (!process.connected) stop()
}

/** Calls `stopCleanly` when the parent has ended, instead of exiting at once. */
export function endWithParent(stopCleanly: () => void): void {
  stop = stopCleanly
}

/** Ends the process now if its parent ended while code blocked the event loop, as loading an addon does. */
export async function checkParent(): Promise<void> {
  // The first turn may have polled for events already.
  await nextTurn()
  await nextTurn()
}
