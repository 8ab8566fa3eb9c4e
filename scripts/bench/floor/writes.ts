import { randomBytes } from 'node:crypto'
import type { Db } from 'mongodb'
import type { Answer } from './reads.js'
import type { Stored } from './shapes.js'
import { articles } from './shapes.js'

/**
 * The floor believes its bodies, and takes numbers that nobody else uses. It stores what Quire stores, a
 * draft and a published version, and waits for the journal once, as Quire does.
 */
const early = { writeConcern: { w: 1, journal: false } } as const
const last = { writeConcern: { w: 1, journal: true } } as const

type Body = Readonly<{ data: Readonly<Record<string, unknown>> }>

/** Each server counts on from a number of its own. */
let lastId = 100_000_000 + Number(process.env['FLOOR_NUMBER'] ?? 0) * 100_000_000

export const create: Answer = async (db, { body }) => {
  const { data } = body as Body
  const now = new Date()
  const time = now.getTime()
  const refer = (documentId: unknown) => ({ documentId, order: time })
  const numbered = (value: object) => ({ id: (lastId += 1), ...value })
  const content = {
    ...{ documentId: `c${randomBytes(16).toString('hex').slice(0, 23)}`, locale: null },
    ...{ createdAt: now, updatedAt: now, createdBy: null, updatedBy: null, _revision: time },
    ...data,
    eventAt: new Date(data['eventAt'] as string),
    author: refer(data['author']),
    category: refer(data['category']),
    tags: (data['tags'] as readonly string[]).map(refer),
    related: (data['related'] as readonly string[]).map(refer),
    seo: numbered(data['seo'] as object),
    sections: (data['sections'] as readonly object[]).map(numbered),
  }
  const draft = { _id: (lastId += 1), ...content, publishedAt: null }
  const published = { _id: (lastId += 1), ...content, publishedAt: now, _publishedFrom: time }
  await draftsOf(db).insertOne(draft, early)
  await publishedOf(db).insertOne(published, last)
  return shown(published)
}

export const update: Answer = async (db, { id, body }) => {
  const now = new Date()
  const set = { ...(body as Body).data, updatedAt: now, _revision: now.getTime() }
  await draftsOf(db).updateOne({ documentId: id }, { $set: set }, early)
  const published = await publishedOf(db).findOneAndUpdate(
    { documentId: id },
    { $set: { ...set, publishedAt: now, _publishedFrom: now.getTime() } },
    { returnDocument: 'after', projection: articles.projection, ...last },
  )
  if (published === null) throw new Error(`There is no article ${id}`)
  return shown(published)
}

const draftsOf = (db: Db) => db.collection<Stored & { _id: number }>('articles.draft')
const publishedOf = (db: Db) => db.collection<Stored & { _id: number }>('articles')

const shown = (article: Stored): string =>
  `{"data":${JSON.stringify(articles.show(article))},"meta":{}}`
