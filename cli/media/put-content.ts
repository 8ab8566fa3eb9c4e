import mime from 'mime-types'
import type { Readable } from 'node:stream'
import type { StorageProvider } from '../../server/upload/storage-provider.js'

/**
 * Stores content, unless it already exists with the same size, so that an interrupted import can continue. Does not
 * call `open` for skipped content.
 */
export async function putContent(
  storage: StorageProvider,
  name: string,
  size: number,
  open: () => Promise<Readable | undefined>,
): Promise<void> {
  const there = await storage.stat(name)
  if (there?.size === size) return
  if (there !== undefined) await storage.remove(name)
  const content = await open()
  if (content === undefined) throw new Error(`The content of ${name} no longer exists`)
  await storage.put(name, content, { mime: servedType(name) })
}

/** Returns the MIME type of served content, by its extension. */
export const servedType = (name: string): string => mime.lookup(name) || 'application/octet-stream'
