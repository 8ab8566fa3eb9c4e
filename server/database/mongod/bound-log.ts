import { rename, stat } from 'node:fs/promises'
import type { MongoClient } from 'mongodb'

/**
 * Size in bytes at which the server's log is rotated. The current file and the previous one are kept. Because the size
 * is checked once a minute, each file can exceed this size by up to a minute's output.
 */
const maxLogBytes = 8 * 2 ** 20

/** Renames a log that is longer than `maxBytes`, replacing the previous log. Returns whether the log was renamed. */
export async function moveLongLog(path: string, maxBytes = maxLogBytes): Promise<boolean> {
  const { size } = await stat(path).catch(() => ({ size: 0 }))
  if (size <= maxBytes) return false
  await rename(path, `${path}.1`)
  return true
}

/** Renames the log of a running server if it is too long, and makes the server open a new file. */
export async function rotateLongLog(
  client: MongoClient,
  path: string,
  maxBytes = maxLogBytes,
): Promise<boolean> {
  const isMoved = await moveLongLog(path, maxBytes)
  if (isMoved) await client.db('admin').command({ logRotate: 'server' })
  return isMoved
}
