import type { Created } from '../documents.js'
import type { UsedDocuments } from '../endpoints.js'

/** Wraps documents so that `wrote` is called after every write. */
export function noting(documents: UsedDocuments, wrote: () => void): UsedDocuments {
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
 * Wraps documents so that a create uses this id. If the request is repeated, it creates what is missing of the
 * document.
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

/** Wraps documents so that nothing is written. The present state of the document is shown. */
export function showingOnly(documents: UsedDocuments, documentId: string): UsedDocuments {
  const written = (): Promise<Created> => Promise.resolve({ documentId })
  return {
    ...documents,
    create: written,
    update: written,
    act: written,
    delete: () => Promise.resolve(),
  }
}
