import { expect } from 'chai'
import type { Db } from 'mongodb'
import { MongoClient } from 'mongodb'
import { explainRead } from '../../../../engine/explain.js'
import type { Executor } from '../../../../engine/read.js'
import { inlineExecutor } from '../../../../workers/executor.js'
import { testDatabaseUri } from '../../../support/database.js'
import { compare, lookingUp, storeRandomWorld, together } from './naive/agree.js'
import { library } from './naive/library.js'
import type { Filters, Query } from './naive/query.js'
import type { Question } from './naive/question.js'
import { askEngine, planOf } from './naive/question.js'

const some: Filters = { $notNull: 'true' }
const none: Filters = { $null: 'true' }
const many: Filters = { $gt: '0' }

/** Each filter reaches its targets in a different way. */
const filters: Readonly<Record<string, Filters>> = {
  'a relation': { author: { name: { $lt: 'n' } } },
  'a relation that may be missing': { author: { home: { place: none } } },
  'no target at all': { shelf: none },
  'a list of references': { topics: { name: { $ne: 'a' } } },
  'the inverse side': { prequel: { pages: many } },
  'an inverse list': { author: { books: { topics: { books: { pages: many } } } } },
  media: { cover: { name: some } },
  'other locales': { localizations: { title: some } },
  'no other locale': { localizations: { title: none } },
  'other locales of a target': { shelf: { localizations: { place: some } } },
  'a component': { seo: { image: { name: some } } },
  'a component in a component': { seo: { source: { by: { name: some } } } },
  'a list of components': { links: { book: { pages: many } } },
  'an element with two conditions': { links: { book: { pages: many }, label: some } },
  'an element without a target': { links: { book: { title: none } } },
  'a list in a list': { links: { quotes: { by: { name: some } } } },
  'a list of references in a list in a list': { links: { quotes: { about: { name: some } } } },
  'a list in a component': { seo: { links: { book: { author: { name: some } } } } },
  'a list of components of a target': { shelf: { links: { book: { shelf: { place: some } } } } },
  negation: { $not: { $or: [{ author: { name: { $lt: 'n' } } }, { links: { book: none } }] } },
  alternatives: { $or: [{ author: { name: { $lt: 'n' } } }, { pages: many }, { shelf: some }] },
}

const quantified: Readonly<Record<string, Filters>> = {
  'no reference of a list': { topics: { $none: { name: { $lt: 'n' } } } },
  'every reference of a list': { topics: { $every: { name: { $lt: 'n' } } } },
  'no medium': { gallery: { $none: { name: some } } },
  'every other locale': { localizations: { $every: { title: some } } },
  'no other locale of a target': { shelf: { localizations: { $none: { place: some } } } },
  'every target of an inverse list': { author: { books: { $every: { pages: many } } } },
  'negated every': { $not: { author: { books: { $every: { pages: many } } } } },
  'none within none': { topics: { $none: { books: { $none: { pages: many } } } } },
  'every one within some': { topics: { $some: { books: { $every: { cover: { name: some } } } } } },
  'no element of a list': { links: { $none: { book: { pages: many } } } },
  'every element of a list': { links: { $every: { book: { pages: many } } } },
  'every element of a list within none': {
    links: { $none: { quotes: { $every: { by: { name: some } } } } },
  },
  'no element without a target': { links: { $none: { book: none } } },
  'no element of a component': { seo: { links: { $none: { book: { author: { name: some } } } } } },
  'no reference in an element': { links: { quotes: { about: { $none: { name: some } } } } },
  'two quantifiers of one relation': {
    topics: {
      $or: [{ $none: { name: some } }, { books: { pages: many } }],
      $every: { rank: none },
    },
  },
}

/** Nine round trips between authors and books: the maximum depth of a query string. */
const deep = Array.from({ length: 9 }).reduce<Filters>((inner) => ({ author: { books: inner } }), {
  title: some,
})

const pages: readonly Query[] = [
  {},
  { locale: '*', sort: ['pages:desc'] },
  { locale: ['fr', 'en'], status: 'draft', sort: ['author.name'] },
  { pagination: { start: 1, limit: 2 } },
  { status: 'draft', locale: '*', publicationFilter: 'modified' },
  { status: 'draft', publicationFilter: 'unmodified' },
]

describe('filter by lookup', () => {
  let client: MongoClient
  let db: Db
  let commands = 0
  before(async () => {
    client = new MongoClient(await testDatabaseUri(), { monitorCommands: true })
    client.on('commandStarted', () => void (commands += 1))
    db = client.db()
  })
  after(async () => {
    await db.dropDatabase()
    await client.close()
  })

  for (const seed of [11, 12]) {
    it(`returns the same as the naive in-memory implementation (seed ${seed})`, async () => {
      const world = await storeRandomWorld(db, library, seed)
      const executor = lookingUp(inlineExecutor(db))
      for (const filter of [...Object.values({ ...filters, ...quantified }), deep]) {
        for (const page of pages) {
          await compare(world, executor, question(filter, page))
          const apart = lookingUp(inlineExecutor(db))
          await compare(world, together(apart), question(filter, page))
        }
      }
    })
  }

  it('is explained with the reason for the lookup', async () => {
    const plan = planOf(library, question({ author: { name: some } }, {}))
    const maxKeys = { listed: 2, populated: 2 }
    const { relations } = await explainRead({ ...plan, maxKeys }, db, 'plan', {
      ...{ registry: library, costThreshold: Infinity, factsOf: undefined, signal: undefined },
      meter: undefined,
    })
    expect(relations).to.deep.equal([
      {
        ...{ through: 'writer', collection: 'authors', form: 'lookup' },
        why: 'more than 2 found; up to 2 are asked for by name',
      },
    ])
  })

  it('sends as many commands as a filter by keys', async () => {
    const count = async (executor: Executor, filter: Filters): Promise<number> => {
      commands = 0
      await askEngine(library, executor, question(filter, {}))
      return commands
    }
    for (const [name, filter] of Object.entries({ ...filters, ...quantified })) {
      // Separate executors, because a remembered total is not counted again.
      const [byLookup, byKeys] = [lookingUp(inlineExecutor(db)), inlineExecutor(db)]
      expect(await count(byLookup, filter), name).to.equal(await count(byKeys, filter))
    }
  })
})

function question(filters: Filters, page: Query): Question {
  const query = { filters, ...page }
  const search = JSON.stringify(query)
  return { uid: 'api::book.book', query, search, format: 'flat', documentId: null }
}
