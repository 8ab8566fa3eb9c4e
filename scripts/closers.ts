import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printError } from './terminal.js'

export type Closers = Readonly<ReturnType<typeof createClosers>>
type Close = () => Promise<unknown> | void

/** Collects opened resources, and closes them once, in reverse order, even after errors. */
export function createClosers() {
  const open: Close[] = []
  return {
    add: (close: Close) => void open.push(close),
    /** Creates a folder that is removed by `closeAll`. */
    makeFolder: async (name: string): Promise<string> => {
      const folder = await mkdtemp(join(tmpdir(), `quire-${name}-`))
      open.push(() => rm(folder, { recursive: true, force: true }))
      return folder
    },
    closeAll: async (): Promise<void> => {
      for (let close = open.pop(); close !== undefined; close = open.pop())
        try {
          await close()
        } catch (error) {
          printError(error)
        }
    },
  }
}
