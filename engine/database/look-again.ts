/** What is read from the database again and again, because other processes change it too. */
export type LookingAgain = Readonly<{
  /** Reads it now, and once more where it was being read. */
  look: () => void
  stop: () => void
}>

const everyMs = 1_000

/**
 * Reads something once a second, and when it is told to, one time after another.
 * @param failed is told why it could not be read; it is read again all the same
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
