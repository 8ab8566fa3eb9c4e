import type { Logger } from 'pino'

/** Opened resources, to close in reverse order. */
export type Closing = Readonly<{
  /**
   * Registers how to close a resource; `name` appears in the log. With `withinMs`, closing is awaited only that long,
   * then continues in the background. This is for work that is safe to interrupt and may wait for an unresponsive
   * database.
   */
  add: (name: string, close: () => unknown, withinMs?: number) => void
  /** Closes all resources, even if closing some of them fails. Further calls wait for the first. */
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

/** Rejects if closing takes longer than `ms` milliseconds. A later result is ignored. */
async function within(closed: unknown, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It did not end within ${ms} ms`)), ms)
  })
  await Promise.race([closed, late]).finally(() => clearTimeout(timer))
}
