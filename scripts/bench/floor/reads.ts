import type { Db, Document, Sort } from 'mongodb'
import { joinTexts, populate, projectionOf, readTexts, referred } from './populate.js'
import type { Node, Stored } from './populate.js'
import { articles, authors, deep, everything, flat, locale, pages } from './shapes.js'

type FloorRequest = Readonly<{ id: string; query: URLSearchParams; body: unknown }>

export type Answer = (db: Db, request: FloorRequest) => Promise<string>

export const one: Answer = async (db, { id }) => {
  const { projection } = articles
  const found = await db
    .collection(articles.collection)
    .findOne({ documentId: id, locale }, { projection })
  if (found === null) throw new Error(`There is no article ${id}`)
  return `{"data":${JSON.stringify(found)},"meta":{}}`
}

/** Returns a page with the articles that its blocks refer to, and their relations, as Quire does with `pLevel=4`. */
const page: Answer = async (db, { query }) => {
  const found = await db
    .collection(pages.collection)
    .find({ slug: query.get('slug') }, { batchSize: 2 })
    .project<Stored>(pages.projection)
    .limit(1)
    .toArray()
  const blocks = found.flatMap(({ blocks }) => blocks as Stored[])
  const documentIds = new Set([...referred(blocks, 'article'), ...referred(blocks, 'articles')])
  const texts = await readTexts(db, everything, [...documentIds])
  const write = ({ blocks, ...own }: Stored): string => {
    const joins = ['article', 'articles'].map((field) => [field, texts] as const)
    const joined = (blocks as Stored[]).map((block) => joinTexts(block, joins))
    return `${JSON.stringify(own).slice(0, -1)},"blocks":[${joined.join(',')}]}`
  }
  return answerList(found, write, query)
}

const relation: Answer = async (db, { query }) => {
  const found = await db
    .collection<Stored>(authors.collection)
    .find({ name: { $in: query.getAll('author') } }, { projection: { _id: 0, documentId: 1 } })
    .toArray()
  const documentIds = found.map(({ documentId }) => documentId)
  return answerPage(db, query, { 'author.documentId': { $in: documentIds } })
}

/**
 * Sorts articles by the name of their author: reads authors in this order until their articles fill a page. Every
 * article has an author.
 */
const sort: Answer = async (db, { query }) => {
  const { page, size } = pageOf(query)
  const theirs = {
    from: articles.collection,
    localField: 'documentId',
    foreignField: 'author.documentId',
    as: 'article',
    pipeline: [{ $match: { locale } }, { $sort: { _id: 1 } }, { $project: articles.projection }],
  }
  const pipeline = [
    ...[{ $sort: { name: 1 } }, { $project: { documentId: 1 } }],
    ...[{ $lookup: theirs }, { $unwind: '$article' }],
    ...[{ $skip: (page - 1) * size }, { $limit: size }],
    { $replaceRoot: { newRoot: '$article' } },
  ]
  const found = await db
    .collection(authors.collection)
    .aggregate<Stored>(pipeline, { batchSize: size + 1 })
    .toArray()
  return answerList(found, asJson, query)
}

const containing =
  (field: string, $options: string): Answer =>
  (db, { query }) =>
    answerPage(db, query, { [field]: { $regex: query.get('word') ?? '', $options } })

export const reads: Readonly<Record<string, Answer>> = {
  one,
  page,
  relation,
  sort,
  list: (db, { query }) => answerPage(db, query),
  filter: (db, { query }) => {
    const match = { kind: query.get('kind'), publishedOn: { $gte: query.get('from') } }
    return answerPage(db, query, match, { publishedOn: -1, _id: -1 })
  },
  populate: (db, { query }) => answerPage(db, query, {}, { _id: 1 }, flat),
  deep: (db, { query }) => answerPage(db, query, {}, { _id: 1 }, deep),
  star: (db, { query }) => answerPage(db, query, {}, { _id: 1 }, everything),
  contains: containing('summary', ''),
  scan: containing('body', 'i'),
}

/** Returns a page. Includes the total, except with populated relations or with `pagination[withCount]=false`. */
async function answerPage(
  db: Db,
  query: URLSearchParams,
  match: Document = {},
  sort: Sort = { _id: 1 },
  { of, tree }: Node = { of: articles },
): Promise<string> {
  const { page, size } = pageOf(query)
  const isCounted = tree === undefined && query.get('pagination[withCount]') !== 'false'
  const [documents, total] = await Promise.all([
    db
      .collection(of.collection)
      .find({ ...match, locale }, { batchSize: size + 1 })
      .project<Stored>(projectionOf(of, tree))
      .sort(sort)
      .skip((page - 1) * size)
      .limit(size)
      .toArray(),
    isCounted ? db.command({ count: of.collection, query: { ...match, locale } }) : undefined,
  ])
  const write = await populate(db, documents, tree)
  return answerList(documents, write, query, total?.['n'] as number | undefined)
}

const asJson = (document: Stored): string => JSON.stringify(document)

const pageOf = (query: URLSearchParams): Readonly<{ page: number; size: number }> => ({
  page: Number(query.get('page') ?? 1),
  size: Number(query.get('size') ?? 25),
})

function answerList(
  documents: readonly Stored[],
  write: (document: Stored) => string,
  query: URLSearchParams,
  total?: number,
): string {
  const { page, size } = pageOf(query)
  const pageCount = total && Math.ceil(total / size)
  const meta = JSON.stringify({ pagination: { page, pageSize: size, pageCount, total } })
  return `{"data":[${documents.map((document) => write(document)).join(',')}],"meta":${meta}}`
}
