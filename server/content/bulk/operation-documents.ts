import type { Created } from '../documents.js'
import type { UsedDocuments } from '../endpoints.js'

/** Calls `wrote` after each successful write. */
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
 * Makes `create` use the given id. If the request is repeated, `create` adds only the parts that the document lacks.
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

/** Makes all write methods do nothing. The responses then show the current state of the document. */
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
