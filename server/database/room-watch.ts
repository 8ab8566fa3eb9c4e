import { statfs } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { ApiError } from '../../engine/errors.js'
import { notDone } from '../../engine/errors.js'

/** Knows whether there is room for what is written. */
export type RoomWatch = Readonly<{
  /** What a write is refused with; undefined where there is room. */
  refusal: () => ApiError | undefined
  stop: () => void
}>

export type RoomOptions = Readonly<{
  /** A folder of the file system that is watched. */
  directory: string
  /** Room below which writes are refused. */
  minFreeBytes: number
  log: Logger
  /** For tests: how many bytes are free. */
  freeBytes?: (directory: string) => Promise<number>
  everyMs?: number
}>

/**
 * Looks every second how much room is left, so that writes are refused before the engine runs out of it: it
 * would end, and take the reads along.
 */
export async function watchRoom(options: RoomOptions): Promise<RoomWatch> {
  const { directory, minFreeBytes, log, freeBytes = freeBytesOf, everyMs = 1_000 } = options
  let isFull = false
  const look = async (): Promise<void> => {
    const free = await freeBytes(directory).catch(() => Infinity)
    if (free < minFreeBytes === isFull) return
    isFull = !isFull
    if (isFull)
      log.error(
        { free, minFreeBytes },
        `There is too little room left where ${directory} is: writes are refused until ` +
          'there is more. Free some, or give it more; reads and deletions go on.',
      )
    else log.info({ free }, `There is room again where ${directory} is: writes go on`)
  }
  let looking: Promise<void> | undefined
  const timer = setInterval(() => {
    looking ??= look().finally(() => (looking = undefined))
  }, everyMs)
  timer.unref()
  await look()
  return {
    refusal: () => (isFull && minFreeBytes > 0 ? noRoom() : undefined),
    stop: () => clearInterval(timer),
  }
}

async function freeBytesOf(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}

const noRoom = (): ApiError =>
  notDone('There is no room left to store anything. Nothing was changed', 10)
