import { statfs } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { ApiError } from '../../engine/errors.js'
import { notDone } from '../../engine/errors.js'

/** Result of {@link watchDiskSpace}. */
export type DiskSpaceWatch = Readonly<{
  /** Returns the error to reject writes with; undefined if there is enough space. */
  refusal: () => ApiError | undefined
  stop: () => void
}>

export type DiskSpaceOptions = Readonly<{
  /** Any folder in the file system to watch. */
  directory: string
  /** In bytes. With less free space, writes are rejected. */
  minFreeBytes: number
  log: Logger
  freeBytes?: (directory: string) => Promise<number>
  everyMs?: number
}>

/**
 * Checks the free space every second, so that writes are rejected before the disk is full. On a full disk, the engine's
 * process would end, and reads would fail too.
 */
export async function watchDiskSpace(options: DiskSpaceOptions): Promise<DiskSpaceWatch> {
  const { directory, minFreeBytes, log, freeBytes = freeBytesOf, everyMs = 1_000 } = options
  let isFull = false
  const check = async (): Promise<void> => {
    const free = await freeBytes(directory).catch(() => Infinity)
    if (free < minFreeBytes === isFull) return
    isFull = !isFull
    if (isFull)
      log.error(
        { free, minFreeBytes },
        `The disk of ${directory} is almost full, so writes are refused. ` +
          'Free some space, or enlarge the disk. Reads and deletions still work.',
      )
    else log.info({ free }, `The disk of ${directory} has enough space again. Writes are accepted`)
  }
  let looking: Promise<void> | undefined
  const timer = setInterval(() => {
    looking ??= check().finally(() => (looking = undefined))
  }, everyMs)
  timer.unref()
  await check()
  return {
    refusal: () => (isFull && minFreeBytes > 0 ? diskFull() : undefined),
    stop: () => clearInterval(timer),
  }
}

async function freeBytesOf(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}

const diskFull = (): ApiError => notDone('The storage is full. Nothing was changed', 10)
