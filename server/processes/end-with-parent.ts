import { setImmediate as nextTurn } from 'node:timers/promises'
import { isMainThread } from 'node:worker_threads'

/**
 * Ends a child process when its parent has ended for whatever reason. This module must be the first import in the
 * child's entry point, because the `disconnect` event is emitted only once, possibly while other modules are loading.
 */

let stop = (): void => process.exit()

// Worker threads also load the modules of `--import`, but have no IPC channel and end with their process anyway.
if (isMainThread) {
  process.once('disconnect', () => stop())
  if (!process.connected) stop()
}

/** Makes the process call `stopCleanly` when the parent has ended, instead of exiting at once. */
export function endWithParent(stopCleanly: () => void): void {
  stop = stopCleanly
}

/**
 * Ends the process now if its parent ended while code was blocking the event loop, for example while an addon was being
 * loaded.
 */
export async function checkParent(): Promise<void> {
  // The current turn of the event loop may already have polled for events, so wait for another turn.
  await nextTurn()
  await nextTurn()
}
