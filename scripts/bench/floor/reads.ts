import type { Db, Document, Filter } from 'mongodb'
import { populateAll, populateDeep, populateFlat, populatePages } from './populate.js'
import type { Stored } from './shapes.js'
import { articles, authors, pages } from './shapes.js'

/** What a route is told of its request. */
export type Asked = Readonly<{ id: string; query: URLSearchParams; body: unknown }>

export type Answer = (db: Db, asked: Asked) => Promise<string>

const references = { author: 1, category: 1, tags: 1 } as const

export const one: Answer = async (db, { id }) => {
  const found = await db
    .collection<Stored>(articles.collection)
    .findOne({ documentId: id }, { projection: articles.projection })
  if (found === null) throw new Error(`There is no article ${id}`)
  return `{"data":${JSON.stringify(articles.show(found))},"meta":{}}`
}

export const list: Answer = async (db, { query }) => {
  const [page, total] = await Promise.all([
    readPage(db, query),
    db.collection(articles.collection).estimatedDocumentCount(),
  ])
  return answerList(page, showPlain, query, total)
}

export const filter: Answer = async (db, { query }) => {
  const match = { kind: query.get('kind'), publishedOn: { $gte: query.get('from') } }
  const [page, total] = await Promise.all([
    readPage(db, query, { match, sort: { publishedOn: -1, _id: -1 } }),
    countMatches(db, match),
  ])
  return answerList(page, showPlain, query, total)
}

export const populate: Answer = async (db, { query }) => {
  const page = await readPage(db, query, { more: references })
  return answerList(page, await populateFlat(db, page), query)
}

export const deep: Answer = async (db, { query }) => {
  const page = await readPage(db, query, { more: { ...references, related: 1 } })
  return answerList(page, await populateDeep(db, page), query)
}

export const star: Answer = async (db, { query }) => {
  const more = { ...references, related: 1, seo: 1, sections: 1 } as const
  const page = await readPage(db, query, { more })
  return answerList(page, await populateAll(db, page), query)
}

export const page: Answer = async (db, { query }) => {
  const found = await db
    .collection<Stored>(pages.collection)
    .find({ slug: query.get('slug') }, { batchSize: 2 })
    .project<Stored>({ ...pages.projection, blocks: 1 })
    .limit(1)
    .toArray()
  return answerList(found, await populatePages(db, found), query)
}

export const relation: Answer = async (db, { query }) => {
  const found = await db
    .collection<Stored>(authors.collection)
    .find({ name: { $in: query.getAll('author') } }, { projection: { _id: 0, documentId: 1 } })
    .toArray()
  const match = { 'author.documentId': { $in: found.map(({ documentId }) => documentId) } }
  const [page, total] = await Promise.all([readPage(db, query, { match }), countMatches(db, match)])
  return answerList(page, showPlain, query, total)
}

/** Every article has an author: theirs are looked up in the order of their names, until the page is full. */
export const sort: Answer = async (db, { query }) => {
  const { page, size } = pageOf(query)
  const theirs = {
    from: articles.collection,
    localField: 'documentId',
    foreignField: 'author.documentId',
    pipeline: [{ $sort: { _id: 1 } }, { $project: articles.projection }],
    as: 'article',
  }
  const found = await db
    .collection<Stored>(authors.collection)
    .aggregate<Stored>(
      [
        { $sort: { name: 1 } },
        { $project: { documentId: 1 } },
        { $lookup: theirs },
        { $unwind: '$article' },
        { $skip: (page - 1) * size },
        { $limit: size },
        { $replaceRoot: { newRoot: '$article' } },
      ],
      { batchSize: size + 1 },
    )
    .toArray()
  return answerList(found, showPlain, query)
}

export const scan: Answer = async (db, { query }) => {
  const match = { body: { $regex: query.get('word') ?? '', $options: 'i' } }
  const [page, total] = await Promise.all([readPage(db, query, { match }), countMatches(db, match)])
  return answerList(page, showPlain, query, total)
}

const showPlain = (article: Stored): string => JSON.stringify(articles.show(article))

type PageOptions = Readonly<{
  match?: Filter<Stored>
  sort?: Readonly<Record<string, 1 | -1>>
  more?: Readonly<Record<string, 1>>
}>

function readPage(
  db: Db,
  query: URLSearchParams,
  { match = {}, sort = { _id: 1 }, more = {} }: PageOptions = {},
): Promise<readonly Stored[]> {
  const { page, size } = pageOf(query)
  return db
    .collection<Stored>(articles.collection)
    .find(match, { batchSize: size + 1 })
    .project<Stored>({ ...articles.projection, ...more })
    .sort(sort)
    .skip((page - 1) * size)
    .limit(size)
    .toArray()
}

async function countMatches(db: Db, match: Document): Promise<number> {
  const { n } = await db.command({ count: articles.collection, query: match })
  return Number(n)
}

const pageOf = (query: URLSearchParams): Readonly<{ page: number; size: number }> => ({
  page: Number(query.get('page') ?? 1),
  size: Number(query.get('size') ?? 25),
})

function answerList(
  documents: readonly Stored[],
  write: (article: Stored) => string,
  query: URLSearchParams,
  total?: number,
): string {
  const { page, size } = pageOf(query)
  const counted = total === undefined ? {} : { pageCount: Math.ceil(total / size), total }
  const meta = JSON.stringify({ pagination: { page, pageSize: size, ...counted } })
  return `{"data":[${documents.map(write).join(',')}],"meta":${meta}}`
}
