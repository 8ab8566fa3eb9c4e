import { expect } from 'chai'
import type { Db, Document } from 'mongodb'
import { BSON, MongoClient } from 'mongodb'
import { inlineExecutor } from '../../../../workers/executor.js'
import { prepareCollections } from '../../../../engine/database/prepare-collections.js'
import { explainRead } from '../../../../engine/explain.js'
import { testDatabaseUri } from '../../../support/database.js'
import { compare, storeRandomWorld, walking } from './naive/agree.js'
import { library } from './naive/library.js'
import type { Query } from './naive/query.js'
import type { Question } from './naive/question.js'
import { planOf } from './naive/question.js'

/** In each sort, all relations in the first key are to-one. */
const sorts: readonly (readonly string[])[] = [
  ['author.name'],
  ['author.name:desc'],
  ['author.name:desc', 'pages'],
  ['author.born', 'title:desc', 'id:desc'],
  ['shelf.place:desc'],
  ['cover.name'],
  ['sequel.pages:desc'],
  ['author.home.place'],
  ['sequel.author.name:desc', 'price'],
]

const lists: readonly Query[] = [
  {},
  { status: 'draft' },
  { locale: '*' },
  { locale: ['fr', 'en'], filters: { pages: { $gt: '0' } } },
  { filters: { author: { name: { $lt: 'n' } } } },
  { populate: ['author', 'links'], fields: ['title'] },
  { pagination: { start: '1', limit: '2' } },
  { status: 'draft', pagination: { start: '3', limit: '4' } },
]

describe('list read in the order of its sort targets', () => {
  let client: MongoClient
  let db: Db
  before(async () => {
    client = new MongoClient(await testDatabaseUri())
    db = client.db()
  })
  after(async () => {
    await db.dropDatabase()
    await client.close()
  })

  for (const seed of [21, 22, 23]) {
    it(`returns the same order as the naive in-memory implementation (seed ${seed})`, async () => {
      const world = await storeRandomWorld(db, library, seed)
      const executor = walking(inlineExecutor(db))
      for (const sort of sorts) {
        for (const list of lists) await compare(world, executor, question({ ...list, sort }))
      }
    })
  }

  it('takes one command in addition to the one that sorts the targets', async () => {
    await storeRandomWorld(db, library, 21)
    const purposesOf = async (sort: string, locale = 'en') => {
      const pagination = { withCount: 'false' }
      const pipelines = await explainWalk(db, 'plan', { sort: [sort], locale, pagination })
      return pipelines.map(({ purpose, pipeline }) =>
        JSON.stringify(pipeline).includes('$unionWith') ? `${String(purpose)}, walked` : purpose,
      )
    }
    expect(await purposesOf('author.name')).to.deep.equal(['sort through writer', 'page, walked'])
    // Entries cannot be read target by target if they have several targets, or targets that differ by locale.
    expect(await purposesOf('topics.name')).to.deep.equal(['sort through topics', 'page'])
    expect(await purposesOf('sequel.pages', '*')).to.deep.equal(['sort through sequel', 'page'])
  })

  it('fetches no entry of another locale when it reads entries without a target', async () => {
    const own = client.db(`${db.databaseName}_walk`)
    try {
      await prepareCollections(own, library)
      await own.collection<Stored>('authors').insertOne({ _id: 1, documentId: 'ana', name: 'Ana' })
      const writer = { documentId: 'ana', order: 1 }
      const books = Array.from({ length: 200 }, (_, at) => {
        const locale = at % 2 === 0 ? 'fr' : 'en'
        return { _id: at, documentId: `${at}`, locale, ...(locale === 'en' && { writer }) }
      })
      await own.collection<Stored>('books').insertMany(books)
      const [, page] = await explainWalk(own, 'execution', {
        ...{ sort: ['author.name'], pagination: { limit: '2', withCount: 'false' } },
      })
      // Quire's explain omits the statistics of this pipeline, because MongoDB would have to read all entries for them.
      expect(page?.['statistics']).to.equal(undefined)
      const pipeline = BSON.EJSON.deserialize(page?.['pipeline'] as Document) as Document[]
      const withoutTarget = pipeline.slice(
        0,
        pipeline.findIndex((stage) => '$unionWith' in stage),
      )
      const found = await own.collection('books').aggregate(withoutTarget).explain('executionStats')
      expect(JSON.stringify(found)).to.include('"totalDocsExamined":0')
    } finally {
      await own.dropDatabase()
    }
  })
})

type Stored = Readonly<{ _id: number; documentId: string }> & Record<string, unknown>

async function explainWalk(db: Db, mode: 'plan' | 'execution', query: Query) {
  const plan = planOf(library, question(query))
  const walked = { ...plan, shortcuts: { byTarget: true } as const }
  const { pipelines } = await explainRead(walked, db, mode, {
    ...{ registry: library, costThreshold: Infinity, factsOf: undefined, signal: undefined },
    meter: undefined,
  })
  return pipelines
}

function question(query: Query): Question {
  const search = JSON.stringify(query)
  return { uid: 'api::book.book', query, search, format: 'flat', documentId: null }
}
