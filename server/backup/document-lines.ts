import { BSON, type Document } from 'mongodb'
import { ArchiveError } from './archive/tar-files.js'
import type { TextLine } from './archive/read-lines.js'
import { exact } from '../../engine/database/exact.js'

const { Binary, EJSON, deserialize, serialize } = BSON

/** Maximum size of a line in bytes. A document of 16 MB fits as Base64. */
export const maxDocumentLine = 24 * 1024 * 1024

/**
 * Returns a document as a line of extended JSON that preserves types of numbers. If parsing the line would not restore
 * every byte, for example because a key looks like extended JSON, the line contains the document's bytes as `$binary`.
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

/** Parses extended JSON, preserving types of numbers. Throws ArchiveError if the line is not a document. */
export function documentOfLine({ text, place }: TextLine): Document {
  try {
    const value: unknown = EJSON.parse(text, { relaxed: false })
    if (value instanceof Binary) return deserialize(value.buffer, exact)
    if (isPlain(value)) return value
  } catch {
    // The error is thrown below.
  }
  throw new ArchiveError(`${place} is not a document`)
}

/** Returns false for instances of BSON classes such as `Int32`. */
const isPlain = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** Returns the document with JavaScript numbers instead of BSON types, for reading rather than storing. */
export const plainDocumentOf = (document: Document): Document =>
  deserialize(serialize(document, { ignoreUndefined: false }))
