import { rename, stat } from 'node:fs/promises'
import type { MongoClient } from 'mongodb'

/** The server's log is two files of this size at most, and what it writes in a minute. */
const maxLogBytes = 8 * 2 ** 20

/** Moves a log that has become too long away, over the one before it; answers whether it did. */
export async function moveLongLog(path: string, maxBytes = maxLogBytes): Promise<boolean> {
  const { size } = await stat(path).catch(() => ({ size: 0 }))
  if (size <= maxBytes) return false
  await rename(path, `${path}.1`)
  return true
}

/** The same while the server runs, which then opens another file. */
export async function rotateLongLog(
  client: MongoClient,
  path: string,
  maxBytes = maxLogBytes,
): Promise<boolean> {
  const isMoved = await moveLongLog(path, maxBytes)
  if (isMoved) await client.db('admin').command({ logRotate: 'server' })
  return isMoved
}
