import { expect } from 'chai'
import type { Db } from 'mongodb'
import { MongoClient } from 'mongodb'
import { explainRead } from '../../../../engine/explain.js'
import { inlineExecutor } from '../../../../workers/executor.js'
import { testDatabaseUri } from '../../../support/database.js'
import { compare, lookingUp, storeRandomWorld } from './naive/agree.js'
import { storeWorld } from './naive/engine-world.js'
import { library } from './naive/library.js'
import type { Query } from './naive/query.js'
import type { Question } from './naive/question.js'
import { planOf } from './naive/question.js'

/** Each sort goes through lists, or through the same relation more than once. */
const sorts: readonly (readonly string[])[] = [
  ['links.label', 'id:desc'],
  ['links.label:desc', 'extras.label'],
  ['links.quotes.text'],
  ['links.quotes.text:desc', 'pages'],
  ['seo.links.label:desc'],
  ['links.book.pages'],
  ['links.book.pages:desc', 'links.book.title'],
  ['links.book.author.name'],
  ['links.quotes.by.name:desc'],
  ['links.quotes.about.name'],
  ['author.name', 'author.born:desc'],
  ['topics.name:desc', 'topics.books.pages'],
  ['author.home.place', 'author.name:desc', 'author.home.id'],
  ['author.books.links.label'],
]

const lists: readonly Query[] = [{}, { status: 'draft', locale: '*' }]

describe('sort', () => {
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

  for (const seed of [31, 32, 33]) {
    it(`returns the same order as the naive in-memory implementation (seed ${seed})`, async () => {
      const world = await storeRandomWorld(db, library, seed)
      const executor = inlineExecutor(db)
      for (const sort of sorts) {
        for (const list of lists) {
          await compare(world, executor, question({ ...list, sort }))
          await compare(world, lookingUp(executor), question({ ...list, sort }))
        }
      }
    })
  }

  const explain = async (query: Query) => {
    const pagination = { withCount: 'false' }
    const plan = planOf(library, question({ ...query, pagination }))
    const { pipelines } = await explainRead(plan, db, 'plan', {
      ...{ registry: library, costThreshold: Infinity, factsOf: undefined, signal: undefined },
      meter: undefined,
    })
    return pipelines
  }

  it('looks up the targets once for several keys through one relation', async () => {
    const purposesOf = async (...sort: string[]) =>
      (await explain({ sort })).map(({ purpose }) => purpose)
    expect(await purposesOf('author.name', 'pages', 'author.born:desc')).to.deep.equal([
      'sort through writer',
      'page',
    ])
    const home = await purposesOf('author.home.place', 'author.name', 'author.home.id')
    expect(home.toSorted()).to.deep.equal(['page', 'sort through home', 'sort through writer'])
  })

  it('sends no $lookup for a key through lists', async () => {
    for (const sort of ['links.label', 'links.quotes.text', 'links.book.pages']) {
      const pipelines = await explain({ sort: [sort] })
      expect(JSON.stringify(pipelines), sort).to.not.include('$lookup')
    }
  })

  it('is left out for a relation that is only counted, so an index covers it', async () => {
    const topics = [{ documentId: 'topic', order: 0 }]
    await storeWorld(db, {
      ...{ registry: library, locales: ['en'], defaultLocale: 'en' },
      collections: new Map([
        ['books', [{ _id: 1, documentId: 'book', locale: 'en', topics }]],
        ['topics', [{ _id: 1, documentId: 'topic', locale: null, name: 'A' }]],
      ]),
    })
    const pipelines = await explain({ populate: { topics: { count: 'true' } } })
    const counted = pipelines.find(({ purpose }) => purpose === 'populate topics')
    expect(counted?.['stages']).to.include('PROJECTION_COVERED')
    expect(counted?.['stages']).to.not.include('FETCH')
  })
})

function question(query: Query): Question {
  const search = JSON.stringify(query)
  return { uid: 'api::book.book', query, search, format: 'flat', documentId: null }
}
