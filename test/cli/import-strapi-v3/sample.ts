import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { BSON, MongoClient, type Document } from 'mongodb'

/** A real Strapi 3.6.11 project on MongoDB: `dump.jsonl.gz`, responses, `uploads`, and definitions in `project`. */
export const sampleFolder = fileURLToPath(
  new URL('../../../../test/fixtures/strapi-v3/', import.meta.url),
)

const linesOf = (name: string): readonly string[] =>
  gunzipSync(readFileSync(`${sampleFolder}/${name}`))
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')

/** The response of Strapi 3 to a GET. */
export type RecordedResponse = Readonly<{
  path: string
  as: 'public' | 'bob' | 'admin'
  status: number
  body: unknown
}>

export const recordedResponses = (): readonly RecordedResponse[] =>
  linesOf('answers.jsonl.gz').map((line) => JSON.parse(line) as RecordedResponse)

/** Stored documents by collection. */
export type Stored = ReadonlyMap<string, readonly Document[]>

export function sampleDocuments(): Stored {
  const stored = new Map<string, Document[]>()
  for (const line of linesOf('dump.jsonl.gz')) {
    const { collection, document } = BSON.EJSON.parse(line, { relaxed: false }) as Readonly<{
      collection: string
      document: Document
    }>
    stored.set(collection, [...(stored.get(collection) ?? []), document])
  }
  return stored
}

/** Inserts documents into a database. */
export async function storeAll(uri: string, stored: Stored): Promise<void> {
  const client = new MongoClient(uri)
  try {
    for (const [name, documents] of stored)
      if (documents.length > 0)
        await client
          .db()
          .collection(name)
          .insertMany([...documents])
  } finally {
    await client.close()
  }
}
