import type { Logger } from 'pino'

/** Collects opened resources, to close them in reverse order. */
export type Closing = Readonly<{
  /**
   * Registers the function that closes a resource just opened. `name` appears in the log. If closing takes longer than
   * `withinMs` milliseconds, it continues in the background while the next resource is closed. Use `withinMs` for work
   * that is safe to interrupt and that may wait for an unresponsive database.
   */
  add: (name: string, close: () => unknown, withinMs?: number) => void
  /** Closes all resources, even if closing some of them fails. Further calls wait for the first call. */
  closeAll: () => Promise<void>
}>

export function createClosing(log: Logger): Closing {
  const open: Opened[] = []
  let closing: Promise<void> | undefined
  return {
    add: (name, close, withinMs) => void open.push({ name, close, withinMs }),
    closeAll: () => (closing ??= closeInReverse(open, log)),
  }
}

type Opened = Readonly<{
  name: string
  close: () => unknown
  withinMs: number | undefined
}>

async function closeInReverse(open: readonly Opened[], log: Logger): Promise<void> {
  for (const { name, close, withinMs } of open.toReversed()) {
    try {
      const closed = close()
      await (withinMs === undefined ? closed : within(closed, withinMs))
    } catch (err) {
      log.error({ err }, `${name} could not be closed`)
    }
  }
}

/** Rejects if closing takes longer than `ms` milliseconds. If closing finishes later, its result is ignored. */
async function within(closed: unknown, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It did not end within ${ms} ms`)), ms)
  })
  await Promise.race([closed, late]).finally(() => clearTimeout(timer))
}
