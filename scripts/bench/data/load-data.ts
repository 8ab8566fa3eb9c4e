import type { Db, Document } from 'mongodb'
import { makeArticle } from './articles.js'
import { authorValues, categoryValues, counts, parentOf, tagValues } from './people.js'
import type { StoredEntry } from './stored.js'
import { componentsPerArticle, storedArticle, storedPlain } from './stored.js'

const batch = 1000

/**
 * Fills the collections of a Quire that has made its indexes, past its API, because that is twenty times
 * as fast; `checkStored` proves that both store the same.
 */
export async function loadData(db: Db, size: number): Promise<void> {
  await loadPlain(db, 'authors', counts.author, (index) =>
    storedPlain('author', index, authorValues(index), null),
  )
  await loadPlain(db, 'categories', counts.category, (index) =>
    storedPlain('category', index, categoryValues(index), parentOf(index)),
  )
  await loadPlain(db, 'tags', counts.tag, (index) =>
    storedPlain('tag', index, tagValues(index), null),
  )
  await withIndexesAfterwards(db, articles, () => loadArticles(db, size))
  await moveSequences(db, {
    'api::author.author': counts.author,
    'api::category.category': counts.category,
    'api::tag.tag': counts.tag,
    'api::article.article': lastArticleId(size),
    components: size * componentsPerArticle,
  })
}

const articles = ['articles', 'articles.draft']

/** The next batch is made while one is inserted. */
async function loadArticles(db: Db, size: number): Promise<void> {
  let inserted: Promise<unknown> = Promise.resolve()
  for (let start = 0; start < size; start += batch) {
    const versions = numbersFrom(start, Math.min(size, start + batch)).map((index) =>
      storedArticle(index, makeArticle(index, size)),
    )
    await inserted
    inserted = Promise.all([
      insert(
        db,
        'articles',
        versions.map(({ published }) => published),
      ),
      insert(
        db,
        'articles.draft',
        versions.map(({ draft }) => draft),
      ),
    ])
  }
  await inserted
}

/** An index that is built of what is there takes a tenth of what it takes to put millions of keys into it one by one. */
async function withIndexesAfterwards(
  db: Db,
  names: readonly string[],
  load: () => Promise<void>,
): Promise<void> {
  const indexes = new Map<string, readonly Document[]>()
  for (const name of names) {
    const all: readonly Document[] = await db.collection(name).indexes()
    indexes.set(
      name,
      all.filter(({ name }) => name !== '_id_'),
    )
    await db.collection(name).dropIndexes()
  }
  await load()
  for (const [name, specifications] of indexes)
    await db.command({ createIndexes: name, indexes: specifications })
}

/** Record ids above this one are of articles that a measurement has made. */
export const lastArticleId = (size: number): number => size * 2

/** Removes what measurements have made. */
export async function removeCreated(db: Db, size: number): Promise<void> {
  const created = { _id: { $gt: lastArticleId(size) } }
  for (const name of articles) {
    await db.collection<StoredEntry>(name).deleteMany(created)
  }
}

const numbersFrom = (start: number, end: number): readonly number[] =>
  Array.from({ length: end - start }, (_, offset) => start + offset)

async function loadPlain(
  db: Db,
  collection: string,
  count: number,
  make: (index: number) => StoredEntry,
): Promise<void> {
  await insert(db, collection, numbersFrom(0, count).map(make))
}

async function insert(db: Db, collection: string, entries: readonly StoredEntry[]): Promise<void> {
  const options = { ordered: false, writeConcern: { w: 1, journal: false } }
  await db.collection<StoredEntry>(collection).insertMany([...entries], options)
}

/** What is created through the API gets the numbers after those that were loaded. */
async function moveSequences(db: Db, last: Readonly<Record<string, number>>): Promise<void> {
  const sequences = db.collection<{ _id: string; value: number }>('_sequences')
  for (const [name, value] of Object.entries(last)) {
    await sequences.updateOne({ _id: name }, { $set: { value } }, { upsert: true })
  }
}
