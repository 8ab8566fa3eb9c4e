/** Polls data that other processes may change. */
export type Poller = Readonly<{
  /** Reads at once, or if a read is in progress, once more after it. */
  poll: () => void
  stop: () => void
}>

const everyMs = 1_000

/** Reads once a second and whenever `poll` is called, one read at a time. Errors go to `failed`. */
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
