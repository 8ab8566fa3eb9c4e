import { BSON, type Document } from 'mongodb'

/** A document as an insert sends it, and so as it is stored: what was just written need not be read. */
export function asStored(document: Document): Uint8Array {
  return BSON.serialize(document, { ignoreUndefined: true })
}
