import { setImmediate as nextTurn } from 'node:timers/promises'
import { isMainThread } from 'node:worker_threads'

/**
 * Ends a child process when its parent has ended. Import this module before all others, because `disconnect` is emitted
 * only once, possibly while other modules are loading.
 */

let stop = (): void => process.exit()

// Skip worker threads: they also load the modules of `--import`, but have no IPC channel and end with their process
// anyway.
if (isMainThread) {
  process.once('disconnect', () => stop())
  if (!process.connected) stop()
}

/** Sets the function that is called when the parent has ended. Without it, the process exits at once. */
export function endWithParent(stopCleanly: () => void): void {
  stop = stopCleanly
}

/**
 * Ends the process if its parent has ended while the event loop was blocked, for example because an addon was loading.
 */
export async function checkParent(): Promise<void> {
  // Wait two turns, because the current turn may already have polled for events.
  await nextTurn()
  await nextTurn()
}
