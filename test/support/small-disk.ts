import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A disk in memory that a test can fill. */
export type SmallDisk = Readonly<{
  /** Fills the disk until `left` bytes are free. Concurrent writes can leave fewer bytes. */
  fill: (left: number) => Promise<void>
  empty: () => Promise<void>
  close: () => Promise<void>
}>

/** Creates `folder`, and mounts an in-memory disk there. Returns undefined if this process is not allowed to mount. */
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
      // If the file does not fit on the disk, the disk is full, as intended.
      await writeFile(filler, Buffer.alloc(bytes)).catch(() => undefined)
    },
    empty: () => rm(filler, { force: true }),
    // Unmounts lazily, because a killed process may still have files open on the disk.
    close: async () => void (await run('umount', ['-l', folder]).catch(() => undefined)),
  }
}

/** Beginning of mount names. The id of the process that mounted the disk follows. */
const source = 'quire-test-'

/** Unmounts the disks that killed test runs have left mounted. */
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
