import { rename, stat } from 'node:fs/promises'
import type { MongoClient } from 'mongodb'

/** Size at which the server's log is rotated. Two files are kept, each longer by up to a minute's output. */
const maxLogBytes = 8 * 2 ** 20

/** Renames a log that is too long, replacing the previous one. Returns whether it did. */
export async function moveLongLog(path: string, maxBytes = maxLogBytes): Promise<boolean> {
  const { size } = await stat(path).catch(() => ({ size: 0 }))
  if (size <= maxBytes) return false
  await rename(path, `${path}.1`)
  return true
}

/** The same while the server runs, which then opens a new file. */
export async function rotateLongLog(
  client: MongoClient,
  path: string,
  maxBytes = maxLogBytes,
): Promise<boolean> {
  const isMoved = await moveLongLog(path, maxBytes)
  if (isMoved) await client.db('admin').command({ logRotate: 'server' })
  return isMoved
}
