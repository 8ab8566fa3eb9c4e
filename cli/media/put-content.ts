import mime from 'mime-types'
import type { Readable } from 'node:stream'
import type { StorageProvider } from '../../server/upload/storage-provider.js'

/**
 * Puts content where new content goes. What is there already in the right size is left, so that an import that was cut
 * off goes on.
 * @param open called where it is not there yet
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
  if (content === undefined) throw new Error(`The content of ${name} is not there any more`)
  await storage.put(name, content, { mime: servedType(name) })
}

/** The type that content is served as: by its extension. */
export const servedType = (name: string): string => mime.lookup(name) || 'application/octet-stream'
