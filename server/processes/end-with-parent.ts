import { setImmediate as nextTurn } from 'node:timers/promises'
import { isMainThread } from 'node:worker_threads'

/**
 * Ends a child process after its parent. Import this first, because `disconnect` is emitted only once, possibly while
 * other modules are loading.
 */

let stop = (): void => process.exit()

// Worker threads also load the modules of `--import`, but have no IPC channel and end with their process anyway.
if (isMainThread) {
  process.once('disconnect', () => stop())
  if (!process.connected) stop()
}

/** Calls `stopCleanly` when the parent has ended, instead of exiting at once. */
export function endWithParent(stopCleanly: () => void): void {
  stop = stopCleanly
}

/** Ends the process if its parent ended while the event loop was blocked, for example by loading an addon. */
export async function checkParent(): Promise<void> {
  // The current turn of the event loop may already have polled for events.
  await nextTurn()
  await nextTurn()
}
