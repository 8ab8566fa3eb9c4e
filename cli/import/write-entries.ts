import type { Db, Document } from 'mongodb'
import { collectionOf, type ContentType, type Status } from '../../engine/schema/content-type.js'
import { builtIn } from '../../engine/schema/registry.js'
import { textLinesOf } from '../../server/backup/archive/read-lines.js'
import { ArchiveError, type ArchiveFile } from '../../server/backup/archive/tar-files.js'
import {
  documentOfLine,
  maxDocumentLine,
  plainDocumentOf,
} from '../../server/backup/document-lines.js'
import { insertAgain } from '../database/insert-again.js'
import { movedFile, type FilePlace } from './moved-file.js'

const maxMembers = 500
const maxBytes = 8 * 1024 * 1024

/**
 * Writes the versions that a member holds, so many at a time that what is in memory stays small. It may be repeated.
 * @throws ArchiveError for a line that is no version of an entry
 */
export async function writeEntries(
  db: Db,
  { type, status, place }: Readonly<{ type: ContentType; status: Status; place: FilePlace }>,
  file: ArchiveFile,
): Promise<void> {
  const collection = db.collection(collectionOf(type, status))
  let batch: Document[] = []
  let bytes = 0
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await insertAgain(collection, batch)
    batch = []
    bytes = 0
  }
  for await (const line of textLinesOf(file, maxDocumentLine)) {
    const document = documentOfLine(line)
    if (!isVersion(document)) throw new ArchiveError(`${line.place} is no version of an entry`)
    batch.push(type.uid === builtIn.file ? movedFile(document, place) : document)
    bytes += line.text.length
    if (batch.length >= maxMembers || bytes >= maxBytes) await flush()
  }
  await flush()
}

function isVersion(document: Document): boolean {
  const { _id, documentId } = plainDocumentOf({
    _id: document['_id'] as unknown,
    documentId: document['documentId'] as unknown,
  })
  return (
    typeof _id === 'number' &&
    Number.isSafeInteger(_id) &&
    typeof documentId === 'string' &&
    /^[A-Za-z][A-Za-z0-9]{7,63}$/.test(documentId)
  )
}
