import { deepStrictEqual } from 'node:assert/strict'
import type { Db } from 'mongodb'
import type { ApiClient } from '../../../cli/seed/api-client.js'
import { articleBody } from './article-body.js'
import { makeArticle } from './articles.js'
import { lastArticleId, removeCreated } from './load-data.js'
import { documentIdOf } from './random.js'
import type { StoredEntry } from './stored.js'

/** Throws where Quire stores an article, written through its API, otherwise than it was loaded. */
export async function checkStored(db: Db, api: ApiClient, size: number): Promise<void> {
  const article = makeArticle(0, size)
  // The slug is taken by the article that was loaded.
  const scalars = { ...article.scalars, slug: 'written-through-the-api' }
  await api.post('/api/articles', { data: articleBody({ ...article, scalars }) })
  for (const name of ['articles', 'articles.draft']) {
    const collection = db.collection<StoredEntry>(name)
    const written = await collection.findOne({ _id: { $gt: lastArticleId(size) } })
    const loaded = await collection.findOne({ documentId: documentIdOf('article', 0) })
    deepStrictEqual(
      comparable(loaded),
      comparable(written),
      `Quire does not store in ${name} what the benchmark loads there`,
    )
  }
  await removeCreated(db, size)
}

/** Without what is different for every entry: ids, times and the slug. */
function comparable(stored: unknown, name = ''): unknown {
  if (given.has(name)) return typeof stored
  if (stored instanceof Date) return isSystemTime(name) ? 'time' : stored.toISOString()
  if (Array.isArray(stored)) return stored.map((member) => comparable(member))
  if (typeof stored !== 'object' || stored === null) return stored
  return Object.fromEntries(
    Object.entries(stored)
      .map(([key, value]): [string, unknown] => [
        key,
        key === 'documentId' && 'createdAt' in stored ? 'its own' : comparable(value, key),
      ])
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}

const given = new Set(['_id', 'id', 'order', 'slug', '_revision', '_publishing', '_publishedFrom'])

const isSystemTime = (name: string): boolean =>
  ['createdAt', 'updatedAt', 'publishedAt'].includes(name)
