import type { Db } from 'mongodb'
import { eventually } from '../database/support.js'

/** Lists that take the database many seconds: each article is joined with all articles of its author. */
export const slowPath = '/api/articles?sort=author.articles.title'

/** Fills the conformance model's collections for `slowPath`. */
export async function insertSlowArticles(db: Db): Promise<void> {
  const numbers = Array.from({ length: 3000 }, (_, n) => n + 1)
  await db
    .collection<{ _id: number }>('authors')
    .insertOne({ _id: 1, documentId: 'a', name: 'Ana' } as { _id: number })
  await db.collection<{ _id: number }>('articles').insertMany(
    numbers.map((n) => {
      const author = { documentId: 'a', order: n }
      return { _id: n, documentId: `d${n}`, locale: 'en', title: `Title ${n}`, author }
    }),
  )
}

/** How many operations the database runs on a collection. */
export async function running(db: Db, collection: string): Promise<number> {
  const operations = await db.client
    .db('admin')
    .aggregate([{ $currentOp: {} }, { $match: { ns: `${db.databaseName}.${collection}` } }])
    .toArray()
  return operations.length
}

/** Waits until the database runs so many. */
export const untilRunning = (db: Db, collection: string, count: number): Promise<void> =>
  eventually(async () => (await running(db, collection)) === count)
