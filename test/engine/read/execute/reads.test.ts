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

describe('reads', () => {
  before(async () => {
    client = new MongoClient(await testDatabaseUri(), { monitorCommands: true })
    client.on('commandStarted', () => void (commands += 1))
    db = client.db()
  })
  after(async () => {
    await db.dropDatabase()
    await client.close()
  })

  describe('sorted list', () => {
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

    it('is sorted by the lowest or highest of several values, with null lowest', async () => {
      expect(await ids('book', { sort: ['topics.name'] })).to.deep.equal([1, 3, 2])
      expect(await ids('book', { sort: ['topics.name:desc'] })).to.deep.equal([2, 1, 3])
      expect(await ids('shelf', { sort: ['links.label'] })).to.deep.equal([3, 2, 1])
    })

    it('treats a missing target as null', async () => {
      expect(await ids('book', { sort: ['topics.wider.name'] })).to.deep.equal([1, 2, 3])
      expect(await ids('book', { sort: ['topics.wider.name:desc'] })).to.deep.equal([2, 1, 3])
    })

    it('can be sorted by several repeatable components at once', async () => {
      const sort = ['links.quotes.length:desc', 'links.label:desc']
      expect(await ids('shelf', { sort })).to.deep.equal([2, 1, 3])
    })

    it('uses the first of two sort keys for the same attribute', async () => {
      expect(await ids('book', { sort: ['title:desc', 'title'] })).to.deep.equal([3, 2, 1])
    })
  })

  describe('localizations', () => {
    it('are ordered by id', async () => {
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

  describe('filter through a relation of the same locale', () => {
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

    it('uses the locale of the populated entries inside populate', async () => {
      const books = { filters: { shelf: { name: 'bas' } }, fields: ['locale'] }
      const [english, french] = await list('shelf', { locale: '*', populate: { books } })
      expect(english?.['books']).to.deep.equal({ data: [] })
      expect(french?.['books']).to.deep.equal({
        data: [{ id: 2, documentId: 'b', locale: 'fr' }],
      })
    })

    it('uses the locale of each localization in a filter on localizations', async () => {
      const filters = { localizations: { shelf: { name: 'bas' } } }
      expect(await ids('book', { filters })).to.deep.equal([1])
      expect(await ids('book', { filters, locale: 'fr' })).to.deep.equal([])
      expect(await ids('book', { filters, locale: '*' })).to.deep.equal([1])
      const localizations = { filters: { shelf: { name: 'bas' } }, fields: ['locale'] }
      const [english] = await list('book', { populate: { localizations } })
      expect(english?.['localizations']).to.deep.equal([{ id: 2, documentId: 'b', locale: 'fr' }])
    })

    it('uses the locale of the entry in a populated component', async () => {
      const links = { filters: { book: { shelf: { name: 'bas' } } } }
      const [english, french] = await list('book', { locale: '*', populate: { links } })
      expect(english?.['links']).to.deep.equal([])
      expect(french?.['links']).to.deep.equal([{ id: 1, label: null, weight: null }])
    })

    it('queries the relation once for all locales', async () => {
      const filters = { $or: [{ shelf: { name: 'bas' } }, { links: { book: { title: 'x' } } }] }
      commands = 0
      expect(await ids('book', { filters, locale: '*' })).to.deep.equal([2])
      // The page, its total, and the two relations.
      expect(commands).to.equal(4)
    })
  })

  describe('filter for entries without localizations', () => {
    it('matches entries that exist in one locale only', async () => {
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

  describe('null in a JSON attribute', () => {
    it('differs from an empty list and from a list that contains null', async () => {
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

  describe('decimals', () => {
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

    it('are compared by all their digits', async () => {
      expect(await ids('book', { filters: { price: { $gt: '0.1' } } })).to.deep.equal([2])
      expect(await ids('book', { filters: { price: tenth } })).to.deep.equal([2])
      expect(await ids('book', { filters: { price: ' 1e-1' } })).to.deep.equal([1])
    })

    it('are compared by all their digits in populated components', async () => {
      const shown = async (links: PopulateOptions): Promise<unknown> => {
        const [book] = await list('book', { filters: { id: '2' }, populate: { links } })
        return (book?.['links'] as readonly Shown[]).map(({ id }) => id)
      }
      expect(await shown({ filters: { weight: '12345678901234567890.12' } })).to.deep.equal([2])
      expect(await shown({ sort: ['weight'] })).to.deep.equal([2, 1])
    })
  })

  describe('populated components', () => {
    it('are sorted by values of nested components', async () => {
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

  describe('text operators', () => {
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

    it('accept many long texts', async () => {
      const filters = (operator: string): Query => ({ filters: { title: { [operator]: texts } } })
      expect(await ids('book', filters('$containsi'))).to.deep.equal([1])
      expect(await ids('book', filters('$contains'))).to.deep.equal([])
      // An entry matches if at least one of the strings is not in its title.
      expect(await ids('book', filters('$notContainsi'))).to.deep.equal([1, 2])
    })
  })

  describe('sort by a JSON attribute', () => {
    it('is rejected', async () => {
      const error = await list('book', { sort: ['meta'] }).catch((thrown: unknown) => thrown)
      expect(error).to.include({ status: 400, message: 'Invalid key meta' })
    })
  })

  describe('locale that is not configured', () => {
    it('is ignored by relations, filters and counts', async () => {
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

  describe('filter for missing targets', () => {
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

    it('matches if no target exists in the locale of the entry', async () => {
      const filters = { shelf: { $null: 'true' } }
      expect(await ids('book', { filters, locale: '*' })).to.deep.equal([2, 3, 4])
      expect(await ids('book', { filters: { author: { $null: 'true' } } })).to.deep.equal([4])
    })

    it('accepts record ids, documentIds and null in one list', async () => {
      const author = (test: Query['filters']): Query => ({
        filters: { author: test ?? {} },
        locale: '*',
      })
      expect(await ids('book', author({ $in: ['1', 'b'] }))).to.deep.equal([1, 2])
      expect(await ids('book', author({ $notIn: ['1', 'b'] }))).to.deep.equal([3])
      expect(await ids('book', author({ $in: ['b', null] }))).to.deep.equal([2, 4])
      expect(await ids('book', author({ $notIn: ['b', null] }))).to.deep.equal([1, 3])
    })

    it('matches components without targets, in lists and in populate', async () => {
      expect(await shownLinks({ book: { $null: 'true' } })).to.deep.equal([2])
      expect(await shownLinks({ book: { $notNull: 'true' } })).to.deep.equal([1])
      expect(await shownLinks({ quotes: { text: { $null: 'true' } } })).to.deep.equal([1])
      const filters = { links: { quotes: { text: { $null: 'true' } } } }
      expect(await ids('book', { filters })).to.deep.equal([1, 4])
    })
  })

  describe('inverse side', () => {
    it('is ordered by the order stored in the references, then by id', async () => {
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
