import { randomBytes } from 'node:crypto'
import { Decimal128, Long, type Db } from 'mongodb'
import { one, type Answer } from './reads.js'
import { locale } from './shapes.js'

/**
 * Like Quire, writes a draft, then a published version, and only the second write waits for the journal. Unlike Quire,
 * does not validate bodies, and takes new ids from a separate range.
 */
const early = { writeConcern: { w: 1, journal: false } } as const
const last = { writeConcern: { w: 1, journal: true } } as const

type Lists = Readonly<Record<'tags' | 'related' | 'sections', readonly object[]>>
type Body = Readonly<{ data: Readonly<Record<string, unknown>> & Lists }>

let lastId = 100_000_000

const create: Answer = async (db, { body }) => {
  const { author, category, tags, related, seo, sections, ...scalars } = (body as Body).data
  const now = new Date()
  const time = now.getTime()
  const documentId = `c${randomBytes(16).toString('hex').slice(0, 23)}`
  const refer = (documentId: unknown) => ({ documentId, order: time })
  const numbered = (value: object) => ({ id: (lastId += 1), ...value })
  const times = { createdAt: now, updatedAt: now, publishedAt: now }
  const content = {
    ...scalars,
    ...times,
    documentId,
    locale,
    createdBy: null,
    updatedBy: null,
    _revision: time,
    price: Decimal128.fromString(String(scalars['price'])),
    circulation: Long.fromString(String(scalars['circulation'])),
    eventAt: new Date(scalars['eventAt'] as string),
    author: refer(author),
    category: refer(category),
    tags: tags.map(refer),
    related: related.map(refer),
    seo: numbered(seo as object),
    sections: sections.map(numbered),
  }
  const draft = { _id: (lastId += 1), ...content, publishedAt: null }
  const published = { _id: (lastId += 1), ...content, _publishedFrom: time }
  await draftsOf(db).insertOne(draft, early)
  await publishedOf(db).insertOne(published, last)
  const data = { id: published._id, documentId, ...scalars, ...times, locale }
  return JSON.stringify({ data, meta: {} })
}

/** Updates all locales, because they share the changed attributes. */
const update: Answer = async (db, { id, body }) => {
  const now = new Date()
  const set = { ...(body as Body).data, updatedAt: now, _revision: now.getTime() }
  const ofAllLocales = { documentId: id }
  await draftsOf(db).updateMany(ofAllLocales, { $set: set }, early)
  const published = { ...set, publishedAt: now, _publishedFrom: now.getTime() }
  await publishedOf(db).updateMany(ofAllLocales, { $set: published }, last)
  return one(db, { id, body, query: new URLSearchParams() })
}

const draftsOf = (db: Db) => db.collection<{ _id: number; documentId: string }>('articles.draft')
const publishedOf = (db: Db) => db.collection<{ _id: number; documentId: string }>('articles')

export const writes = { create, update }
