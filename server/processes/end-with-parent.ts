import { setImmediate as nextTurn } from 'node:timers/promises'
import { isMainThread } from 'node:worker_threads'

/**
 * Ends a child process when its parent has ended, however that happened. This has to be the first import of a child's
 * entry: the event comes once, and may come while the other modules are loaded.
 */

let stop = (): void => process.exit()

// A module of `--import` is loaded by each thread of the process, too; threads have no channel and end with it.
if (isMainThread) {
  process.once('disconnect', () => stop())
  if (!process.connected) stop()
}

/** Has `stopCleanly` called where the parent has ended, instead of an exit at once. */
export function endWithParent(stopCleanly: () => void): void {
  stop = stopCleanly
}

/** Ends the process now if its parent ended while code held up the event loop, as loading an addon does. */
export async function checkParent(): Promise<void> {
  // The first turn may be one that has looked for events already.
  await nextTurn()
  await nextTurn()
}
