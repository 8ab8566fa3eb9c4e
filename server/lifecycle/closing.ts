import type { Logger } from 'pino'

/** What was opened, to be closed in the reverse order. */
export type Closing = Readonly<{
  /** Remembers how to close what was just opened; `name` is for the log. */
  add: (name: string, close: () => Promise<unknown>) => void
  /** Closes everything; one that fails does not keep the others open. A second call waits for the first. */
  closeAll: () => Promise<void>
}>

export function createClosing(log: Logger): Closing {
  const open: { name: string; close: () => Promise<unknown> }[] = []
  let closing: Promise<void> | undefined
  return {
    add: (name, close) => void open.push({ name, close }),
    closeAll: () => (closing ??= closeInReverse(open, log)),
  }
}

async function closeInReverse(
  open: readonly { name: string; close: () => Promise<unknown> }[],
  log: Logger,
): Promise<void> {
  for (const { name, close } of open.toReversed()) {
    try {
      await close()
    } catch (err) {
      log.error({ err }, `${name} could not be closed`)
    }
  }
}
