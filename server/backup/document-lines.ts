import { BSON, type Document } from 'mongodb'
import { ArchiveError } from './archive/tar-files.js'
import type { TextLine } from './archive/read-lines.js'
import { exact } from '../../engine/database/exact.js'

const { Binary, EJSON, deserialize, serialize } = BSON

/** So long may a line be: a document of 16 MB as Base64 fits. */
export const maxDocumentLine = 24 * 1024 * 1024

/**
 * A stored document as a line: as extended JSON in which numbers keep their kind. One that would not come back byte for
 * byte (a key in it is one that extended JSON takes for its own) is the document's bytes, as a `$binary`.
 */
export function lineOfDocument(bytes: Uint8Array): string {
  const text = readableLine(bytes)
  return text ?? EJSON.stringify(new Binary(bytes), { relaxed: false })
}

function readableLine(bytes: Uint8Array): string | undefined {
  try {
    const text = EJSON.stringify(deserialize(bytes, exact), { relaxed: false })
    if (Buffer.byteLength(text) > maxDocumentLine) return undefined
    const again = serialize(EJSON.parse(text, { relaxed: false }) as Document, {
      ignoreUndefined: false,
    })
    return Buffer.compare(again, bytes) === 0 ? text : undefined
  } catch {
    return undefined
  }
}

/**
 * The document of a line, in which numbers keep their kind.
 * @throws ArchiveError where it holds none
 */
export function documentOfLine({ text, place }: TextLine): Document {
  try {
    const value: unknown = EJSON.parse(text, { relaxed: false })
    if (value instanceof Binary) return deserialize(value.buffer, exact)
    if (isPlain(value)) return value
  } catch {
    // Told below.
  }
  throw new ArchiveError(`${place} is no document`)
}

/** And no value of a type of its own, such as a number. */
const isPlain = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** The same with numbers as numbers, for what is read here and not stored as it is. */
export const plainDocumentOf = (document: Document): Document =>
  deserialize(serialize(document, { ignoreUndefined: false }))
