import type { Db, Document } from 'mongodb'
import { collectionOf, type ContentType, type Status } from '../../engine/schema/content-type.js'
import { builtIn } from '../../engine/schema/registry.js'
import { batchesOf } from '../../engine/values/batches.js'
import { isObject } from '../../engine/values/is-object.js'
import { uniquesField } from '../../engine/values/unique-list.js'
import { textLinesOf } from '../../server/backup/archive/read-lines.js'
import { ArchiveError, type ArchiveFile } from '../../server/backup/archive/tar-files.js'
import {
  documentOfLine,
  maxDocumentLine,
  plainDocumentOf,
} from '../../server/backup/document-lines.js'
import type { StorageProvider } from '../../server/upload/storage-provider.js'
import { insertAgain } from '../database/insert-again.js'
import type { VersionCheck } from '../import-runner/check-versions.js'
import type { Renaming } from './rename-archive.js'

type FilePlace = Pick<StorageProvider, 'name' | 'url'>

const batchSize = 500

type EntriesTarget = Readonly<{
  type: ContentType
  status: Status
  place: FilePlace
  renaming: Renaming
  /** Finds invalid published versions, which are left out. */
  check: VersionCheck
}>

/**
 * Writes the versions in one file of an archive, with the names of this project. Safe to repeat.
 * @throws ArchiveError if a line is not a version of an entry
 */
export async function writeEntries(
  db: Db,
  { type, status, place, renaming, check }: EntriesTarget,
  file: ArchiveFile,
): Promise<void> {
  const collection = db.collection(collectionOf(type, status))
  const lines = textLinesOf(file, maxDocumentLine)
  for await (const batch of batchesOf(lines, batchSize, ({ text }) => text.length)) {
    const documents = batch.map((line) => {
      const document = renaming.version(type, documentOfLine(line))
      if (!isVersion(document)) throw new ArchiveError(`${line.place} is not a version of an entry`)
      // In a live export, the list of unique values may be outdated. The service creates it again at its next start.
      delete document[uniquesField]
      return type.uid === builtIn.file ? movedFile(document, place) : document
    })
    const valid: Document[] = []
    for (const version of documents)
      if (status === 'draft' || (await check(type, version)).length === 0) valid.push(version)
    await insertAgain(collection, valid)
  }
}

function isVersion(document: Document): boolean {
  const { _id, documentId } = plainDocumentOf({
    _id: document._id as unknown,
    documentId: document.documentId as unknown,
  })
  return (
    typeof _id === 'number' &&
    Number.isSafeInteger(_id) &&
    typeof documentId === 'string' &&
    /^[A-Za-z][A-Za-z0-9]{7,63}$/.test(documentId)
  )
}

/** Updates the provider and the URLs of a file whose content is now in another store. */
function movedFile(document: Document, { name, url }: FilePlace): Document {
  const { provider } = document
  const formats: unknown = document.formats
  const moved: Document = { ...document, provider: name, url: url(storedName(document)) }
  if ('provider_metadata' in document && provider !== name) moved.provider_metadata = null
  if (!isObject(formats)) return moved
  const versions = Object.entries(formats).map(([key, version]) => [
    key,
    isObject(version) ? { ...version, url: url(storedName(version)) } : version,
  ])
  return { ...moved, formats: Object.fromEntries(versions) as Document }
}

const storedName = ({ hash, ext }: Document): string => `${String(hash)}${String(ext)}`
