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

/** Makes `create` use the given id. In a repetition, it adds only the missing parts of the document. */
export function givingId(
  documents: UsedDocuments,
  given: Readonly<{ documentId: string; isRepeated: boolean }>,
): UsedDocuments {
  return {
    ...documents,
    create: (type, data, write) => documents.createGiven(type, data, write, given),
  }
}

/** Makes writes do nothing. Their responses show the current state. */
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
