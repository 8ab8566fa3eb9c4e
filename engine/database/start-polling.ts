/** Polls the database for something that other processes change, too. */
export type Poller = Readonly<{
  /** Reads now. If a read is already running, reads again after it. */
  poll: () => void
  stop: () => void
}>

const everyMs = 1_000

/**
 * Reads something once a second and on request, one read at a time.
 * @param failed called with the error of a failed read; polling continues
 */
export function startPolling(
  read: () => Promise<unknown>,
  failed: (error: unknown) => void,
): Poller {
  let isReading = false
  let isRequested = false
  const run = async (): Promise<void> => {
    isReading = true
    do {
      isRequested = false
      await read().catch(failed)
    } while (isRequested)
    isReading = false
  }
  const timer = setInterval(() => {
    if (!isReading) void run()
  }, everyMs)
  timer.unref()
  return {
    poll: () => {
      isRequested = true
      if (!isReading) void run()
    },
    stop: () => clearInterval(timer),
  }
}
