import { expect } from 'chai'
import type { Db } from 'mongodb'
import { MongoClient } from 'mongodb'
import { typeOf } from '../../engine/schema/registry.js'
import { inlineExecutor } from '../../workers/executor.js'
import { testDatabaseUri } from '../support/database.js'
import { readText, storeWorld } from './naive/engine-world.js'
import { library } from './naive/library.js'
import type { Query } from './naive/query.js'
import type { Doc } from './naive/world.js'

type Shown = Readonly<Record<string, unknown>>

let client: MongoClient
let db: Db
const store = (collections: Readonly<Record<string, readonly Doc[]>>): Promise<void> =>
  storeWorld(db, {
    registry: library,
    collections: new Map(Object.entries(collections)),
    defaultLocale: 'en',
  })

const entry = (_id: number, documentId: string, fields: Doc = {}): Doc => ({
  _id,
  documentId,
  locale: null,
  ...fields,
})
const to = (...documentIds: readonly string[]): Doc[] =>
  documentIds.map((documentId, order) => ({ documentId, order }))

async function list(name: string, query: Query): Promise<readonly Shown[]> {
  const type = typeOf(library, `api::${name}.${name}`)
  const text = await readText(library, inlineExecutor(db), type, query)
  return (JSON.parse(text ?? '') as { data: Shown[] }).data
}

const ids = async (name: string, query: Query): Promise<readonly unknown[]> =>
  (await list(name, query)).map(({ id }) => id)

describe('Reads', () => {
  before(async () => {
    client = await MongoClient.connect(await testDatabaseUri())
    db = client.db()
  })
  after(async () => {
    await db.dropDatabase()
    await client.close()
  })

  describe('A sorted list', () => {
    before(() =>
      store({
        topics: [
          entry(1, 'a', { name: 'a', wider: { documentId: 'b', order: 0 } }),
          entry(2, 'b', { name: 'b' }),
          entry(3, 'none'),
        ],
        books: [
          entry(1, 'one', { locale: 'en', topics: to('a', 'none'), title: 'x' }),
          entry(2, 'two', { locale: 'en', topics: to('a', 'b'), title: 'x' }),
          entry(3, 'three', { locale: 'en', topics: [], title: 'y' }),
        ],
        shelves: [
          entry(1, 'low', {
            locale: 'en',
            links: [
              { id: 1, label: 'c' },
              { id: 2, label: 'b' },
            ],
          }),
          entry(2, 'high', {
            locale: 'en',
            links: [{ id: 3, label: 'a', quotes: [{ length: 9 }] }],
          }),
          entry(3, 'empty', { locale: 'en', links: [] }),
        ],
      }),
    )

    it('goes by the least or greatest of several values, among which null is the least', async () => {
      expect(await ids('book', { sort: ['topics.name'] })).to.deep.equal([1, 3, 2])
      expect(await ids('book', { sort: ['topics.name:desc'] })).to.deep.equal([2, 1, 3])
      expect(await ids('shelf', { sort: ['links.label'] })).to.deep.equal([3, 2, 1])
    })

    it('counts a step that leads nowhere as null', async () => {
      expect(await ids('book', { sort: ['topics.wider.name'] })).to.deep.equal([1, 2, 3])
      expect(await ids('book', { sort: ['topics.wider.name:desc'] })).to.deep.equal([2, 1, 3])
    })

    it('may be sorted by several repeatable components at once', async () => {
      const sort = ['links.quotes.length:desc', 'links.label:desc']
      expect(await ids('shelf', { sort })).to.deep.equal([2, 1, 3])
    })

    it('goes by the first of two mentions of an attribute', async () => {
      expect(await ids('book', { sort: ['title:desc', 'title'] })).to.deep.equal([3, 1, 2])
    })
  })

  describe('Localizations', () => {
    it('come in the order of their ids', async () => {
      await store({
        shelves: [
          entry(3, 's', { locale: 'de' }),
          entry(2, 's', { locale: 'fr' }),
          entry(1, 's', { locale: 'en' }),
        ],
      })
      const [shelf] = await list('shelf', { populate: { localizations: { fields: ['locale'] } } })
      expect(shelf?.['localizations']).to.deep.equal([
        { id: 2, documentId: 's', locale: 'fr' },
        { id: 3, documentId: 's', locale: 'de' },
      ])
    })
  })
})
