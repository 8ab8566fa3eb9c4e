import type { ClientSession, Db, Document, Filter } from 'mongodb'

/** The database fills a batch up to 16 MB where nothing is said, and two or three are in memory. */
const batchSize = 500

/** Reads the documents of a collection as the bytes that are stored, in the order of their ids. */
export async function* bytesIn(
  db: Db,
  collection: string,
  session: ClientSession | undefined,
  filter: Filter<Document> = {},
): AsyncGenerator<Uint8Array> {
  const documents = db
    .collection(collection)
    .find(filter, {
      raw: true,
      readPreference: 'primary' as const,
      batchSize,
      ...(session === undefined ? {} : { session }),
    })
    .sort({ _id: 1 })
    .hint({ _id: 1 })
  // With `raw`, the driver hands out bytes.
  for await (const document of documents) yield document as unknown as Uint8Array
}
