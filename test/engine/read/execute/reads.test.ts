import { expect } from 'chai'
import type { Db } from 'mongodb'
import { Decimal128, MongoClient } from 'mongodb'
import { typeOf } from '../../../../engine/schema/registry.js'
import { inlineExecutor } from '../../../../workers/executor.js'
import { testDatabaseUri } from '../../../support/database.js'
import { readText, storeWorld } from './naive/engine-world.js'
import { library } from './naive/library.js'
import type { PopulateOptions, Query } from './naive/query.js'
import type { Doc } from './naive/world.js'

type Shown = Readonly<Record<string, unknown>>

let client: MongoClient
let db: Db
let commands = 0
const store = (collections: Readonly<Record<string, readonly Doc[]>>): Promise<void> =>
  storeWorld(db, {
    registry: library,
    collections: new Map(Object.entries(collections)),
    locales: ['en', 'fr', 'de'],
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
    client = new MongoClient(await testDatabaseUri(), { monitorCommands: true })
    client.on('commandStarted', () => void (commands += 1))
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
      expect(await ids('book', { sort: ['title:desc', 'title'] })).to.deep.equal([3, 2, 1])
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

  describe('A filter through a relation of the same locale', () => {
    const shelf = (_id: number, locale: string, name: string): Doc =>
      entry(_id, 's', { locale, name })
    const book = (_id: number, locale: string, fields: Doc = {}): Doc =>
      entry(_id, 'b', { locale, shelf: { documentId: 's', order: 0 }, ...fields })
    const link = { id: 1, book: { documentId: 'b', order: 0 } }
    before(() =>
      store({
        shelves: [shelf(1, 'en', 'low'), shelf(2, 'fr', 'bas')],
        books: [book(1, 'en', { links: [link] }), book(2, 'fr', { links: [link] })],
      }),
    )

    it('inside populate goes by the locale of the entries that are populated', async () => {
      const books = { filters: { shelf: { name: 'bas' } }, fields: ['locale'] }
      const [english, french] = await list('shelf', { locale: '*', populate: { books } })
      expect(english?.['books']).to.deep.equal({ data: [] })
      expect(french?.['books']).to.deep.equal({
        data: [{ id: 2, documentId: 'b', locale: 'fr' }],
      })
    })

    it('of localizations goes by theirs', async () => {
      const filters = { localizations: { shelf: { name: 'bas' } } }
      expect(await ids('book', { filters })).to.deep.equal([1])
      expect(await ids('book', { filters, locale: 'fr' })).to.deep.equal([])
      expect(await ids('book', { filters, locale: '*' })).to.deep.equal([1])
      const localizations = { filters: { shelf: { name: 'bas' } }, fields: ['locale'] }
      const [english] = await list('book', { populate: { localizations } })
      expect(english?.['localizations']).to.deep.equal([{ id: 2, documentId: 'b', locale: 'fr' }])
    })

    it('of a populated component goes by that of the entry it is in', async () => {
      const links = { filters: { book: { shelf: { name: 'bas' } } } }
      const [english, french] = await list('book', { locale: '*', populate: { links } })
      expect(english?.['links']).to.deep.equal([])
      expect(french?.['links']).to.deep.equal([{ id: 1, label: null, weight: null }])
    })

    it('asks the relation once, whatever the number of locales', async () => {
      const filters = { $or: [{ shelf: { name: 'bas' } }, { links: { book: { title: 'x' } } }] }
      commands = 0
      expect(await ids('book', { filters, locale: '*' })).to.deep.equal([2])
      // The page, its total, and the two relations.
      expect(commands).to.equal(4)
    })
  })

  describe('Having no localizations', () => {
    it('is having none but oneself', async () => {
      await store({
        shelves: [
          entry(1, 'one', { locale: 'en' }),
          entry(2, 'two', { locale: 'en' }),
          entry(3, 'two', { locale: 'fr' }),
        ],
      })
      const without = { localizations: { $null: 'true' } }
      expect(await ids('shelf', { filters: without })).to.deep.equal([1])
      expect(await ids('shelf', { filters: without, locale: '*' })).to.deep.equal([1])
    })
  })

  describe('Null', () => {
    it('is no list that holds a null', async () => {
      await store({
        books: [
          entry(1, 'one', { locale: 'en', meta: [null], links: [] }),
          entry(2, 'two', { locale: 'en', meta: null }),
          entry(3, 'three', { locale: 'en' }),
          entry(4, 'four', { locale: 'en', meta: [] }),
        ],
      })
      const meta = (test: Query['filters']): Query => ({ filters: { meta: test ?? {} } })
      expect(await ids('book', meta({ $null: 'true' }))).to.deep.equal([2, 3])
      expect(await ids('book', meta({ $notNull: 'true' }))).to.deep.equal([1, 4])
      expect(await ids('book', { filters: { meta: null } })).to.deep.equal([2, 3])
    })
  })

  describe('Decimals', () => {
    const price = (text: string): unknown => Decimal128.fromString(text)
    const tenth = '0.1000000000000000055511151231257827'
    before(() =>
      store({
        books: [
          entry(1, 'one', { locale: 'en', price: price('0.1') }),
          entry(2, 'two', {
            locale: 'en',
            price: price(tenth),
            links: [
              { id: 1, weight: price('12345678901234567890.13') },
              { id: 2, weight: price('12345678901234567890.12') },
            ],
          }),
        ],
      }),
    )

    it('are compared by all of their digits', async () => {
      expect(await ids('book', { filters: { price: { $gt: '0.1' } } })).to.deep.equal([2])
      expect(await ids('book', { filters: { price: tenth } })).to.deep.equal([2])
      expect(await ids('book', { filters: { price: ' 1e-1' } })).to.deep.equal([1])
    })

    it('in populated components as well', async () => {
      const shown = async (links: PopulateOptions): Promise<unknown> => {
        const [book] = await list('book', { filters: { id: '2' }, populate: { links } })
        return (book?.['links'] as readonly Shown[]).map(({ id }) => id)
      }
      expect(await shown({ filters: { weight: '12345678901234567890.12' } })).to.deep.equal([2])
      expect(await shown({ sort: ['weight'] })).to.deep.equal([2, 1])
    })
  })

  describe('Populated components', () => {
    it('are sorted by what is in the components in them', async () => {
      const quotes = (...lengths: readonly number[]): Doc[] => lengths.map((length) => ({ length }))
      await store({
        shelves: [
          entry(1, 's', {
            locale: 'en',
            links: [
              { id: 1, quotes: quotes(5, 2) },
              { id: 2, quotes: quotes(3) },
              { id: 3, quotes: [] },
            ],
          }),
        ],
      })
      const [shelf] = await list('shelf', { populate: { links: { sort: ['quotes.length'] } } })
      expect((shelf?.['links'] as readonly Shown[]).map(({ id }) => id)).to.deep.equal([3, 1, 2])
    })
  })

  describe('Texts', () => {
    const long = (first: string): string => first + 'x'.repeat(4000)
    const texts = [...'abcdefghij'].map(long)
    before(() =>
      store({
        books: [
          entry(1, 'one', { locale: 'en', title: `-${long('E')}-` }),
          entry(2, 'two', { locale: 'en', title: 'e' }),
        ],
      }),
    )

    it('may be many and long', async () => {
      const filters = (operator: string): Query => ({ filters: { title: { [operator]: texts } } })
      expect(await ids('book', filters('$containsi'))).to.deep.equal([1])
      expect(await ids('book', filters('$contains'))).to.deep.equal([])
      // One text that is not in it is enough.
      expect(await ids('book', filters('$notContainsi'))).to.deep.equal([1, 2])
    })
  })

  describe('What holds any JSON', () => {
    it('cannot be sorted by', async () => {
      const error = await list('book', { sort: ['meta'] }).catch((thrown: unknown) => thrown)
      expect(error).to.include({ status: 400, message: 'Invalid key meta' })
    })
  })

  describe('A locale that is not configured', () => {
    it('is there for no relation, filter or count', async () => {
      const home = { documentId: 's', order: 0 }
      await store({
        authors: [entry(1, 'a', { home })],
        shelves: [entry(1, 's', { locale: 'en' }), entry(2, 's', { locale: 'former' })],
      })
      const [author] = await list('author', { locale: 'former', populate: ['home'] })
      expect(author?.['home']).to.equal(null)
      const count = { localizations: { count: 'true' } } as const
      const [shelf] = await list('shelf', { populate: count })
      expect(shelf?.['localizations']).to.deep.equal({ count: 0 })
      const filters = { localizations: { $null: 'true' } }
      expect(await ids('shelf', { filters })).to.deep.equal([1])
    })
  })

  describe('A filter of nothing there', () => {
    const to = (documentId: string): Doc => ({ documentId, order: 0 })
    const shownLinks = async (filters: Query['filters']): Promise<unknown> => {
      const links = { filters: filters ?? {} }
      const [book] = await list('book', { filters: { id: '1' }, populate: { links } })
      return (book?.['links'] as readonly Shown[]).map(({ id }) => id)
    }
    before(() =>
      store({
        authors: [entry(1, 'a'), entry(2, 'b'), entry(3, 'c')],
        shelves: [entry(1, 's', { locale: 'en' })],
        books: [
          entry(1, 'one', {
            ...{ locale: 'en', writer: to('a'), shelf: to('s') },
            links: [
              { id: 1, book: to('one'), quotes: [] },
              { id: 2, quotes: [{ text: 'x' }] },
            ],
          }),
          entry(2, 'one', { locale: 'fr', writer: to('b'), shelf: to('s') }),
          entry(3, 'two', { locale: 'fr', writer: to('c') }),
          entry(4, 'three', { locale: 'en', writer: to('gone') }),
        ],
      }),
    )

    it('goes by the targets that exist in the locale of each entry', async () => {
      const filters = { shelf: { $null: 'true' } }
      expect(await ids('book', { filters, locale: '*' })).to.deep.equal([2, 3, 4])
      expect(await ids('book', { filters: { author: { $null: 'true' } } })).to.deep.equal([4])
    })

    it('goes by record ids and documentIds together', async () => {
      const author = (test: Query['filters']): Query => ({
        filters: { author: test ?? {} },
        locale: '*',
      })
      expect(await ids('book', author({ $in: ['1', 'b'] }))).to.deep.equal([1, 2])
      expect(await ids('book', author({ $notIn: ['1', 'b'] }))).to.deep.equal([3])
      expect(await ids('book', author({ $in: ['b', null] }))).to.deep.equal([2, 4])
      expect(await ids('book', author({ $notIn: ['b', null] }))).to.deep.equal([1, 3])
    })

    it('holds for components that have none, in lists and where they are populated', async () => {
      expect(await shownLinks({ book: { $null: 'true' } })).to.deep.equal([2])
      expect(await shownLinks({ book: { $notNull: 'true' } })).to.deep.equal([1])
      expect(await shownLinks({ quotes: { text: { $null: 'true' } } })).to.deep.equal([1])
      const filters = { links: { quotes: { text: { $null: 'true' } } } }
      expect(await ids('book', { filters })).to.deep.equal([1, 4])
    })
  })

  describe('The inverse side', () => {
    it('comes in the order that the references carry, then by id', async () => {
      const writer = (order: number): Doc => ({ documentId: 'a', order })
      await store({
        authors: [entry(1, 'a')],
        books: [
          entry(4, 'four', { locale: 'en', writer: writer(1) }),
          entry(3, 'three', { locale: 'en', writer: writer(2) }),
          entry(2, 'two', { locale: 'en', writer: writer(2) }),
          entry(1, 'one', { locale: 'en', writer: writer(3) }),
        ],
      })
      const [author] = await list('author', { populate: { books: { fields: ['id'] } } })
      expect((author?.['books'] as readonly Shown[]).map(({ id }) => id)).to.deep.equal([
        4, 2, 3, 1,
      ])
    })
  })
})
