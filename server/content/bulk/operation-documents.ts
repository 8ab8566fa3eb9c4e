import type { Created } from '../documents.js'
import type { UsedDocuments } from '../endpoints.js'

/** Wraps `Documents` so that each successful write calls `wrote`. */
export function withWriteCallback(documents: UsedDocuments, wrote: () => void): UsedDocuments {
  const noted = async <T>(writing: Promise<T>): Promise<T> => {
    const written = await writing
    wrote()
    return written
  }
  return {
    ...documents,
    create: (...args) => noted(documents.create(...args)),
    update: (...args) => noted(documents.update(...args)),
    delete: (...args) => noted(documents.delete(...args)),
    act: (...args) => noted(documents.act(...args)),
  }
}

/**
 * Wraps `Documents` so that `create` uses the given id. If the request is a repetition, `create` adds only the missing
 * parts of the document.
 */
export function givingId(
  documents: UsedDocuments,
  given: Readonly<{ documentId: string; isRepeated: boolean }>,
): UsedDocuments {
  return {
    ...documents,
    create: (type, data, write) => documents.createGiven(type, data, write, given),
  }
}

/**
 * Wraps `Documents` so that writes do nothing. The response to such a write shows the current state of the document.
 */
export function withoutWrites(documents: UsedDocuments, documentId: string): UsedDocuments {
  const written = (): Promise<Created> => Promise.resolve({ documentId })
  return {
    ...documents,
    create: written,
    update: written,
    act: written,
    delete: () => Promise.resolve(),
  }
}
