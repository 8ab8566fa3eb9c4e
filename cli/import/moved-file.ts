import type { Document } from 'mongodb'
import type { StorageProvider } from '../../server/upload/storage-provider.js'

/** Where new content of files goes. */
export type FilePlace = Pick<StorageProvider, 'name' | 'url'>

/** An entry of a file whose content is in another store than it was: its addresses are those of that store. */
export function movedFile(document: Document, { name, url }: FilePlace): Document {
  const { provider, formats } = document
  const moved: Document = { ...document, provider: name, url: url(storedName(document)) }
  if ('provider_metadata' in document && provider !== name) moved['provider_metadata'] = null
  if (typeof formats !== 'object' || formats === null) return moved
  const versions = Object.entries(formats as Record<string, unknown>).map(([key, version]) => [
    key,
    typeof version === 'object' && version !== null
      ? { ...version, url: url(storedName(version)) }
      : version,
  ])
  return { ...moved, formats: Object.fromEntries(versions) as Document }
}

const storedName = ({ hash, ext }: Document): string => `${String(hash)}${String(ext)}`
