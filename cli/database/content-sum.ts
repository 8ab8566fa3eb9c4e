import { createHash } from 'node:crypto'
import type { Collection } from 'mongodb'

/** The number of documents in a collection, and a checksum that does not depend on their order. */
export type ContentSum = Readonly<{ count: number; sum: string }>

const width = 128n
const mask = (1n << width) - 1n

/** Reads all documents of a collection in batches, and returns their count and checksum. */
export async function contentSum(collection: Collection): Promise<ContentSum> {
  let [count, sum] = [0, 0n]
  const documents = collection.find({}, { raw: true, readPreference: 'primary' })
  for await (const document of documents) {
    // With the `raw` option, the driver returns bytes instead of documents.
    const hash = createHash('sha256')
      .update(document as unknown as Buffer)
      .digest('hex')
    count += 1
    sum = (sum + BigInt(`0x${hash.slice(0, Number(width / 4n))}`)) & mask
  }
  return { count, sum: sum.toString(16).padStart(Number(width / 4n), '0') }
}

export const isEqual = (a: ContentSum, b: ContentSum): boolean =>
  a.count === b.count && a.sum === b.sum
