import { startBudget } from '../../../../engine/read/execute/budget.js'
import { expect } from 'chai'
import type { Db } from 'mongodb'
import { MongoClient } from 'mongodb'
import { explainRead } from '../../../../engine/explain.js'
import type { ReadPlan, Shortcuts } from '../../../../engine/read/plan/read-plan.js'
import { executeRead } from '../../../../engine/read/execute/execute-read.js'
import type { Reader } from '../../../../engine/read/execute/reader.js'
import { createReader } from '../../../../engine/read/execute/reader.js'
import { idOf } from '../../../../engine/read/stored/stored-fields.js'
import { typeOf } from '../../../../engine/schema/registry.js'
import { testDatabaseUri } from '../../../support/database.js'
import { planFor, storeWorld } from './naive/engine-world.js'
import { library } from './naive/library.js'
import type { Query } from './naive/query.js'

const books = Array.from({ length: 20 }, (_, index) => ({
  ...{ _id: index + 1, documentId: `book${index}`, locale: 'en' },
  ...{ title: index % 2 === 0 ? 'short' : 'long', pages: 100 - index },
}))
const shortcuts: Shortcuts = { together: true, natural: { page: false, total: true } }
const short: Query = {
  filters: { title: { $contains: 'hor' } },
  sort: ['pages'],
  pagination: { start: '2', limit: '3' },
}

describe('page that is found together with its total', () => {
  let client: MongoClient
  let db: Db
  before(async () => {
    client = new MongoClient(await testDatabaseUri())
    db = client.db()
  })
  beforeEach(() =>
    storeWorld(db, {
      registry: library,
      collections: new Map([['books', books]]),
      locales: ['en'],
      defaultLocale: 'en',
    }),
  )
  after(async () => {
    await db.dropDatabase()
    await client.close()
  })

  const plan = (query: Query = short): ReadPlan => ({
    ...planFor(library, typeOf(library, 'api::book.book'), query, {}),
    shortcuts,
  })
  const reader = (): Reader => createReader(db, startBudget(10_000))
  async function read(plan: ReadPlan, by: Reader) {
    const { documents, total } = await executeRead(plan, by)
    return { ids: documents.map(idOf), total }
  }
  const interrupted = (happens: () => Promise<unknown>): Reader => ({
    ...reader(),
    readStored: async (...args) => {
      await happens()
      return reader().readStored(...args)
    },
  })

  it('contains the requested entries and counts all matches', async () => {
    expect(await read(plan(), reader())).to.deep.equal({ ids: [15, 13, 11], total: 10 })
    const behind = { ...short, pagination: { start: '10', limit: '3' } }
    expect(await read(plan(behind), reader())).to.deep.equal({ ids: [], total: 10 })
    const none = { filters: { title: { $contains: 'nowhere' } } }
    expect(await read(plan(none), reader())).to.deep.equal({ ids: [], total: 0 })
  })

  it('is read with a single collection scan in natural order', async () => {
    const { pipelines } = await explainRead(plan(), db, 'execution', {
      ...{ registry: library, costThreshold: Infinity, factsOf: undefined, signal: undefined },
      meter: undefined,
    })
    const shown = pipelines.map(({ purpose, rows, hint }) => ({ purpose, rows, hint }))
    expect(shown).to.deep.equal([
      { purpose: 'page and total', rows: 1, hint: { $natural: 1 } },
      { purpose: 'page', rows: 3, hint: undefined },
    ])
    expect(pipelines[0]?.['stages']).to.include('COLLSCAN')
    expect(pipelines[1]?.['stages']).to.not.include('COLLSCAN')
  })

  it('omits entries that are deleted or no longer match before they are read', async () => {
    const deleted = interrupted(() => db.collection('books').deleteOne({ documentId: 'book14' }))
    expect(await read(plan(), deleted)).to.deep.equal({ ids: [13, 11], total: 10 })
    const changed = interrupted(() =>
      db.collection('books').updateOne({ documentId: 'book10' }, { $set: { title: 'long' } }),
    )
    expect(await read(plan(), changed)).to.deep.equal({ ids: [13, 9], total: 9 })
  })

  it('is read separately if the total is known or MongoDB runs out of memory', async () => {
    const { documents, total } = await executeRead(plan(), reader(), { total: 7 })
    expect({ ids: documents.map(idOf), total }).to.deep.equal({ ids: [15, 13, 11], total: 7 })
    const bound = 'internalQueryTopNAccumulatorBytes'
    const { was } = await db.admin().command({ setParameter: 1, [bound]: 10 })
    try {
      expect(await read(plan(), reader())).to.deep.equal({ ids: [15, 13, 11], total: 10 })
    } finally {
      await db.admin().command({ setParameter: 1, [bound]: was as number })
    }
  })

  it('corrects a remembered total by the entries on the page', async () => {
    const totalOf = async (start: string, total: number) => {
      const page = plan({ ...short, pagination: { start, limit: '3' } })
      return (await executeRead(page, reader(), { total })).total
    }
    expect(await totalOf('0', 2), 'more than known on a full page').to.equal(3)
    expect(await totalOf('0', 20), 'a full page').to.equal(20)
    expect(await totalOf('8', 20), 'the last page').to.equal(10)
    expect(await totalOf('10', 20), 'a page behind the last').to.equal(10)
    expect(await totalOf('12', 10), 'a page far behind the last').to.equal(10)
  })
})
