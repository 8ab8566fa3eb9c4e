import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { memoryOf, treeOf } from '../../../scripts/bench/process-table.js'

/**
 * Samples the memory of a process and all its descendants, and of the system's TCP buffers.
 */
export type MemorySamples = Readonly<{
  /** Returns the peak since the last call, in bytes: PSS, and what the buffers have grown since the first sample. */
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
  const buffersBefore = await tcpBuffers()
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
      const [bytes, buffers] = await Promise.all([treeOf(pid).then(memoryOf), tcpBuffers()])
      // Null where a process has just ended.
      if (bytes !== null) peak = Math.max(peak, bytes + Math.max(0, buffers - buffersBefore))
      await sleep(everyMs)
    }
  }
}

/** Bytes in the TCP buffers of the machine. They belong to no process, but count for the memory of a container. */
async function tcpBuffers(): Promise<number> {
  const text = await readFile('/proc/net/sockstat', 'utf8').catch(() => '')
  return Number(/^TCP: .*\bmem (\d+)/m.exec(text)?.[1] ?? 0) * pageBytes
}

const pageBytes = 4096
