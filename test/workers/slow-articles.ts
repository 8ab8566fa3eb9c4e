import type { Db, Document } from 'mongodb'
import { eventually } from '../server/database/support.js'

const conditions = numbersTo(900).map((n) => `filters[$and][${n}][summary][$notContains]=${n}`)

/**
 * Path of a list for which one command takes the database many seconds: it searches the text of every article several
 * times.
 */
export const slowPath = `/api/articles?sort=category.name&${conditions.join('&')}`

type Stored = Document & { _id: number }

/** Fills the collections of the conformance model with content for `slowPath`. */
export async function insertSlowArticles(db: Db): Promise<void> {
  await db.collection<Stored>('authors').insertOne({ _id: 1, documentId: 'a', name: 'Ana' })
  const summary = 'x'.repeat(2000)
  await db.collection<Stored>('articles').insertMany(
    numbersTo(3000).map((n) => {
      const author = { documentId: 'a', order: n }
      return { _id: n, documentId: `d${n}`, locale: 'en', title: `Title ${n}`, summary, author }
    }),
  )
}

function numbersTo(last: number): number[] {
  return Array.from({ length: last }, (_, n) => n + 1)
}

/** Returns how many operations the database is running on a collection. */
export async function running(db: Db, collection: string): Promise<number> {
  const operations = await db.client
    .db('admin')
    .aggregate([{ $currentOp: {} }, { $match: { ns: `${db.databaseName}.${collection}` } }])
    .toArray()
  return operations.length
}

/** Waits until the database is running `count` operations on a collection. */
export const untilRunning = (db: Db, collection: string, count: number): Promise<void> =>
  eventually(async () => (await running(db, collection)) === count)
