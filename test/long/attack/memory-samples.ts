import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { memoryOf, treeOf } from '../../../scripts/process-table.js'

/** Samples the memory of a service: of its process, all descendants, and the socket buffers of its connections. */
export type MemorySamples = Readonly<{
  /** Returns the peak since the previous call, in bytes: the PSS of all processes plus the socket buffers. */
  takePeak: () => number
  stop: () => Promise<void>
}>

const everyMs = 200

/** Starts to sample the memory of a service. Returns undefined if the system does not report memory. */
export async function sampleMemory(pid: number, port: number): Promise<MemorySamples | undefined> {
  if (Number.isNaN(await memoryOf([pid]))) {
    process.stdout.write('    No /proc/<pid>/smaps_rollup: memory is not looked at\n')
    return undefined
  }
  let peak = 0
  let isStopping = false
  const sampling = sample()
  return {
    takePeak: () => {
      const taken = peak
      peak = 0
      return taken
    },
    stop: () => {
      isStopping = true
      return sampling
    },
  }

  async function sample(): Promise<void> {
    while (!isStopping) {
      const [bytes, buffers] = await Promise.all([treeOf(pid).then(memoryOf), socketBuffers(port)])
      // `bytes` is NaN if one of the processes ended while it was measured.
      if (!Number.isNaN(bytes)) peak = Math.max(peak, bytes + buffers)
      await sleep(everyMs)
    }
  }
}

/**
 * Returns the bytes in the socket buffers of a port. The system does not count them as memory of a process, but as
 * memory of the container.
 */
async function socketBuffers(port: number): Promise<number> {
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((path) => readFile(path, 'utf8').catch(() => '')),
  )
  const localPort = port.toString(16).toUpperCase().padStart(4, '0')
  let bytes = 0
  for (const line of tables.join('').split('\n')) {
    const [, local = '', , , queues = ''] = line.trim().split(/\s+/)
    if (!local.endsWith(`:${localPort}`)) continue
    const [sent = '', received = ''] = queues.split(':')
    bytes += parseInt(sent, 16) + parseInt(received, 16)
  }
  return bytes
}
