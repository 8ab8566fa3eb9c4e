import type { Db, Document } from 'mongodb'
import { eventually } from '../server/database/support.js'

const conditions = numbersTo(900).map((n) => `filters[$and][${n}][summary][$notContains]=${n}`)

/** A list that takes the database many seconds in one command: it searches every article's text repeatedly. */
export const slowPath = `/api/articles?sort=category.name&${conditions.join('&')}`

type Stored = Document & { _id: number }

/** Fills the conformance model's collections for `slowPath`. */
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

/** Returns the number of operations that the database runs on a collection. */
export async function running(db: Db, collection: string): Promise<number> {
  const operations = await db.client
    .db('admin')
    .aggregate([{ $currentOp: {} }, { $match: { ns: `${db.databaseName}.${collection}` } }])
    .toArray()
  return operations.length
}

/** Waits until the database runs `count` operations. */
export const untilRunning = (db: Db, collection: string, count: number): Promise<void> =>
  eventually(async () => (await running(db, collection)) === count)
