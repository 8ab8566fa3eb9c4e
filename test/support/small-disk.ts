import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A disk of its own, in memory, that can be full. */
export type SmallDisk = Readonly<{
  /** Until so many bytes are left, of what is free when it is called; what runs meanwhile may have taken some. */
  fill: (left: number) => Promise<void>
  /** What filled it goes. */
  empty: () => Promise<void>
  close: () => Promise<void>
}>

/** Mounts one at `folder`, which it makes. Undefined where that may not be done: only root may mount, and not everywhere. */
export async function mountSmallDisk(
  folder: string,
  megabytes: number,
): Promise<SmallDisk | undefined> {
  await unmountLeftovers()
  await mkdir(folder, { recursive: true })
  const options = ['-t', 'tmpfs', '-o', `size=${megabytes}m`, `${source}${process.pid}`, folder]
  const isMounted = await run('mount', options).then(
    () => true,
    () => false,
  )
  if (!isMounted) return undefined
  const filler = join(folder, 'filler')
  return {
    fill: async (left) => {
      const { stdout } = await run('df', ['--output=avail', '-B1', folder])
      const bytes = Math.max(0, Number(stdout.split('\n')[1]) - left)
      // As much of it as fits is there where it does not fit.
      await writeFile(filler, Buffer.alloc(bytes)).catch(() => undefined)
    },
    empty: () => rm(filler, { force: true }),
    // Who was killed may still be letting go of it.
    close: async () => void (await run('umount', ['-l', folder]).catch(() => undefined)),
  }
}

/** With the id of the process whose disk it is. */
const source = 'quire-test-'

/** What was left behind by a run that was killed. */
async function unmountLeftovers(): Promise<void> {
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '')
  for (const line of mounts.split('\n')) {
    const [name = '', folder = ''] = line.split(' ')
    if (!name.startsWith(source) || isAlive(Number(name.slice(source.length)))) continue
    await run('umount', ['-l', folder]).catch(() => undefined)
    await rm(folder, { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
