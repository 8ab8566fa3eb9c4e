/** Polls the database for something that other processes change, too. */
export type LookingAgain = Readonly<{
  /** Reads now; if a read is running, once more after it. */
  look: () => void
  stop: () => void
}>

const everyMs = 1_000

/**
 * Reads something once a second and on request, one read at a time.
 * @param failed called with the error of a failed read; polling continues
 */
export function lookAgain(
  read: () => Promise<unknown>,
  failed: (error: unknown) => void,
): LookingAgain {
  let isReading = false
  let isAsked = false
  const run = async (): Promise<void> => {
    isReading = true
    do {
      isAsked = false
      await read().catch(failed)
    } while (isAsked)
    isReading = false
  }
  const timer = setInterval(() => {
    if (!isReading) void run()
  }, everyMs)
  timer.unref()
  return {
    look: () => {
      isAsked = true
      if (!isReading) void run()
    },
    stop: () => clearInterval(timer),
  }
}
