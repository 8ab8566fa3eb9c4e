import { rename, stat } from 'node:fs/promises'
import type { MongoClient } from 'mongodb'

/** Maximum size of the log in bytes, checked once a minute. The current and the previous log are kept. */
const maxLogBytes = 8 * 2 ** 20

/** Renames a log that is longer than `maxBytes`. Returns whether it did. */
export async function moveLongLog(path: string, maxBytes = maxLogBytes): Promise<boolean> {
  const { size } = await stat(path).catch(() => ({ size: 0 }))
  if (size <= maxBytes) return false
  await rename(path, `${path}.1`)
  return true
}

/** Renames a running server's log if it is too long, and makes the server open a new file. */
export async function rotateLongLog(
  client: MongoClient,
  path: string,
  maxBytes = maxLogBytes,
): Promise<boolean> {
  const isMoved = await moveLongLog(path, maxBytes)
  if (isMoved) await client.db('admin').command({ logRotate: 'server' })
  return isMoved
}
