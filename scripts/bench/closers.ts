/** What has been opened, to be closed in reverse order, once, whatever happens. */
export type Closers = Readonly<{
  add: (close: () => Promise<unknown> | void) => void
  closeAll: () => Promise<void>
}>

export function createClosers(): Closers {
  const open: (() => Promise<unknown> | void)[] = []
  return {
    add: (close) => void open.push(close),
    closeAll: async () => {
      for (let close = open.pop(); close !== undefined; close = open.pop()) {
        try {
          await close()
        } catch (error) {
          console.error(error instanceof Error ? error.message : String(error))
        }
      }
    },
  }
}
