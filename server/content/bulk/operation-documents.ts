import type { Created } from '../documents.js'
import type { UsedDocuments } from '../endpoints.js'

/** The same, and says when something was written. */
export function noting(documents: UsedDocuments, wrote: () => void): UsedDocuments {
  const noted = async <T>(writing: Promise<T>): Promise<T> => {
    const written = await writing
    wrote()
    return written
  }
  return {
    ...documents,
    create: (...asked) => noted(documents.create(...asked)),
    update: (...asked) => noted(documents.update(...asked)),
    delete: (...asked) => noted(documents.delete(...asked)),
    act: (...asked) => noted(documents.act(...asked)),
  }
}

/** A create makes the document with this id, or what is missing of it where the request is repeated. */
export function givingId(
  documents: UsedDocuments,
  given: Readonly<{ documentId: string; isRepeated: boolean }>,
): UsedDocuments {
  return {
    ...documents,
    create: (type, data, write) => documents.createGiven(type, data, write, given),
  }
}

/** Nothing is written any more: what was is shown as it is now. */
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
