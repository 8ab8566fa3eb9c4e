import { setTimeout as sleep } from 'node:timers/promises'
import { memoryOf, treeOf } from '../../../scripts/bench/process-table.js'

/** The memory of a process and all that it has started, looked at again and again. */
export type MemorySamples = Readonly<{
  /** The most since it was asked last, in bytes (PSS). */
  takePeak: () => number
  stop: () => Promise<void>
}>

const everyMs = 200

/** Undefined, with a line about it, where the system does not tell. */
export async function sampleMemory(pid: number): Promise<MemorySamples | undefined> {
  if ((await memoryOf([pid])) === null) {
    process.stdout.write('    No /proc/<pid>/smaps_rollup: memory is not looked at\n')
    return undefined
  }
  let peak = 0
  let isStopping = false
  const looking = look()
  return {
    takePeak: () => {
      const taken = peak
      peak = 0
      return taken
    },
    stop: () => {
      isStopping = true
      return looking
    },
  }

  async function look(): Promise<void> {
    while (!isStopping) {
      const bytes = await memoryOf(await treeOf(pid))
      // Null where a process has just ended.
      peak = Math.max(peak, bytes ?? 0)
      await sleep(everyMs)
    }
  }
}
