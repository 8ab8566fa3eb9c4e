import type { Collection, OptionalUnlessRequiredId } from 'mongodb'

const maxMembers = 1000
const maxBytes = 8 * 1024 * 1024

/** Inserts one after the other, so many at a time that what is in memory stays small. */
type Batched<T> = Readonly<{
  /** @param bytes how much it takes, about */
  add: (document: T, bytes: number) => Promise<void>
  /** Inserts what is left. */
  end: () => Promise<void>
}>

export function batched<T extends { _id: string }>(collection: Collection<T>): Batched<T> {
  let documents: T[] = []
  let size = 0
  const flush = async (): Promise<void> => {
    if (documents.length === 0) return
    const full = documents
    documents = []
    size = 0
    await collection.insertMany(full as unknown as OptionalUnlessRequiredId<T>[], {
      ordered: false,
    })
  }
  return {
    add: async (document, bytes) => {
      documents.push(document)
      size += bytes
      if (documents.length >= maxMembers || size >= maxBytes) await flush()
    },
    end: flush,
  }
}
