import { expect } from 'chai'
import type { CollectionFacts, ReadTarget } from '../../../../engine/read.js'
import type { Shortcuts } from '../../../../engine/read/plan/read-plan.js'
import { planFor } from '../execute/naive/engine-world.js'
import { library } from '../execute/naive/library.js'
import type { Query } from '../execute/naive/query.js'

const indexesOf = (...lists: readonly string[][]): CollectionFacts['indexes'] =>
  lists.map((fields) => ({ fields, isWhole: true }))

/** Nine tenths of the books are in English. */
const books: CollectionFacts = {
  entries: 10_000,
  indexes: [
    ...indexesOf(['documentId'], ['_id'], ['price', '_id']),
    ...indexesOf(['writer.documentId', 'writer.order'], ['topics.documentId']),
  ],
  sample: {
    bytes: 1500,
    fields: new Map([['title', { bytes: 30, values: 1 }]]),
    values: new Map(),
    locales: new Map([
      ['en', 0.9],
      ['fr', 0.1],
    ]),
  },
}
const authors: CollectionFacts = { entries: 500, indexes: indexesOf(['documentId']) }

function shortcutsOf(
  query: Query,
  facts: CollectionFacts = books,
  target: Partial<ReadTarget> = {},
): Shortcuts | undefined {
  const type = library.byApiName.get('books')
  if (type === undefined) throw new Error('There are no books')
  const factsOf = (collection: string): CollectionFacts =>
    collection === 'books' ? facts : authors
  return planFor(library, type, query, { factsOf, ...target }).shortcuts
}

const searching: Query = { filters: { title: { $containsi: 'x' } } }
const natural = (page: boolean, total: boolean) => ({ natural: { page, total } })
const withIndex = (...fields: string[]): CollectionFacts => ({
  ...books,
  indexes: [...books.indexes, ...indexesOf(fields)],
})

describe('shortcuts for a page and its total', () => {
  it('read both together if no index can find either', () => {
    const both = { together: true, ...natural(false, true) }
    expect(shortcutsOf(searching)).to.deep.equal(both)
    expect(shortcutsOf({ ...searching, sort: ['price:desc'] })).to.deep.equal(both)
    const sorted = { ...searching, sort: ['pages'] }
    expect(shortcutsOf(sorted)).to.deep.equal({ together: true, ...natural(true, true) })
    const either = { $or: [{ price: { $eq: '1' } }, { title: { $containsi: 'x' } }] }
    expect(shortcutsOf({ filters: either })).to.deep.equal(both)
    const component = { filters: { seo: { source: { by: { name: { $eq: 'x' } } } } } }
    expect(shortcutsOf(component)).to.deep.equal(both)
  })

  it('read both together if an index only starts with the locale', () => {
    const both = { together: true, ...natural(false, true) }
    expect(shortcutsOf(searching, withIndex('locale', 'pages', '_id'))).to.deep.equal(both)
    expect(shortcutsOf({ ...searching, locale: 'fr' }, withIndex('locale', '_id'))).to.deep.equal({
      together: true,
    })
  })

  it('read each separately if an index may find them, or if only one is requested', () => {
    expect(shortcutsOf({ filters: { price: { $gt: '1' } } })).to.equal(undefined)
    const also = { $and: [{ price: { $eq: '1' } }, { title: { $containsi: 'x' } }] }
    expect(shortcutsOf({ filters: also })).to.equal(undefined)
    const writers = { filters: { author: { name: { $containsi: 'x' } } } }
    expect(shortcutsOf(writers)).to.equal(undefined)
    expect(shortcutsOf({ filters: { author: { name: { $null: 'true' } } } })).to.equal(undefined)
    expect(shortcutsOf({ filters: { price: { $notIn: ['1'] } } })).to.equal(undefined)
    expect(shortcutsOf({})).to.equal(undefined)
    const pagination = { withCount: 'false' }
    expect(shortcutsOf({ ...searching, pagination })).to.equal(undefined)
  })

  it('read each separately if an index has the field at any position and its keys can be scanned', () => {
    expect(shortcutsOf(searching, withIndex('price', 'title', '_id'))).to.equal(undefined)
    const partial = { fields: ['title'], isWhole: false }
    const unique = { ...books, indexes: [...books.indexes, partial] }
    // An index that omits entries cannot serve a search within texts.
    expect(shortcutsOf(searching, unique)).to.have.property('together', true)
    expect(shortcutsOf({ filters: { title: { $startsWith: 'x' } } }, unique)).to.equal(undefined)
    const sample = books.sample && { ...books.sample, indexed: new Set(['title', '_id']) }
    expect(shortcutsOf(searching, { ...books, sample })).to.equal(undefined)
  })

  it('read each separately if most entries are expected to match in the order of the sort', () => {
    const filters = { title: { $notContains: 'x' } }
    expect(shortcutsOf({ filters })).to.deep.equal(natural(false, true))
    const both = { $and: [{ pages: { $notNull: 'true' } }, { title: { $contains: 'x' } }] }
    expect(shortcutsOf({ filters: both })).to.have.property('together', true)
    const either = { $or: [{ pages: { $ne: '1' } }, { title: { $contains: 'x' } }] }
    expect(shortcutsOf({ filters: either })).to.deep.equal(natural(false, true))
    const none = { links: { $none: { label: { $contains: 'x' } } } }
    expect(shortcutsOf({ filters: none })).to.deep.equal(natural(false, true))
    expect(shortcutsOf({ filters, sort: ['pages'] })).to.have.property('together', true)
  })

  it('read each separately for a far page that would hold too much in memory', () => {
    const at = (start: number, facts = books) =>
      shortcutsOf({ ...searching, sort: ['title'], pagination: { start: `${start}` } }, facts)
    expect(at(975)).to.have.property('together', true)
    expect(at(976)).to.deep.equal(natural(true, true))
    const long = new Map([['title', { bytes: 5000, values: 1 }]])
    const sample = books.sample && { ...books.sample, fields: long }
    expect(at(175, { ...books, sample })).to.have.property('together', true)
    expect(at(176, { ...books, sample })).to.deep.equal(natural(true, true))
  })

  it('read each separately in a small or unknown collection', () => {
    expect(shortcutsOf(searching, { ...books, entries: 300 })).to.equal(undefined)
    expect(shortcutsOf(searching, { ...books, entries: 0 })).to.equal(undefined)
  })

  it('scan in natural order if most entries are in the requested locales', () => {
    const total = (query: Query, facts = books): unknown =>
      shortcutsOf({ ...searching, ...query }, facts)?.natural?.total
    expect(total({ locale: 'en' })).to.equal(true)
    expect(total({ locale: 'fr' })).to.equal(undefined)
    expect(total({ locale: '*' })).to.equal(true)
    expect(total({ locale: ['fr', 'en'] })).to.equal(true)
    expect(total({}, { ...books, sample: undefined })).to.equal(undefined)
    expect(shortcutsOf({ ...searching, locale: 'fr' })).to.deep.equal({ together: true })
  })

  it('scan in natural order for a page whose sort has no index', () => {
    expect(shortcutsOf({ sort: ['pages'] })).to.deep.equal(natural(true, false))
    expect(shortcutsOf({ sort: ['pages'], locale: 'fr' })).to.equal(undefined)
    expect(shortcutsOf({ sort: ['price'] })).to.equal(undefined)
    const sample = books.sample && { ...books.sample, indexed: new Set(['pages', 'price']) }
    expect(shortcutsOf({ sort: ['pages'] }, { ...books, sample })).to.equal(undefined)
    expect(shortcutsOf({ sort: ['topics.name'] })).to.deep.equal(natural(true, false))
    const filters = { price: { $gt: '1' } }
    expect(shortcutsOf({ sort: ['pages'], filters })).to.equal(undefined)
  })

  describe('with a sort through a relation', () => {
    const targetByTarget = { byTarget: true }
    const sorted = (query: Query = {}, facts = books): unknown =>
      shortcutsOf({ sort: ['author.name', 'pages'], ...query }, facts)

    it('read target by target if an index groups the entries by target', () => {
      expect(sorted()).to.deep.equal(targetByTarget)
      expect(sorted({ locale: '*' })).to.deep.equal(targetByTarget)
      // An index with the reference behind another field does not group entries by target.
      const without = indexesOf(['_id'], ['price', 'writer.documentId'])
      expect(sorted({}, { ...books, indexes: without })).to.deep.equal(natural(true, false))
    })

    it('do not read target by target if too few entries are found on the way', () => {
      const few = { locale: 'fr', pagination: { start: '100', limit: '100' } }
      expect(sorted(few)).to.equal(undefined)
      expect(sorted({ pagination: { start: '1500' } })).to.deep.equal(natural(true, false))
      expect(sorted({ filters: { pages: { $eq: '1' } } })).to.have.property('together', true)
      expect(sorted({}, { ...books, sample: undefined })).to.equal(undefined)
      expect(sorted({}, { ...books, entries: 2000 })).to.deep.equal(natural(true, false))
    })

    it('do not read target by target for a list of targets or a second relation in the sort', () => {
      expect(shortcutsOf({ sort: ['topics.name'] })).to.not.have.property('byTarget')
      expect(sorted({ sort: ['pages', 'author.name'] })).to.deep.equal(natural(true, false))
      const two = { sort: ['author.name', 'shelf.place'] }
      expect(sorted(two)).to.deep.equal(natural(true, false))
    })

    it('cost as much as reading target by target up to the end of the page', () => {
      const type = library.byApiName.get('books')
      if (type === undefined) throw new Error('There are no books')
      const factsOf = (collection: string) => (collection === 'books' ? books : authors)
      const at = (start: string): number => {
        const pagination = { start, withCount: 'false' }
        return planFor(library, type, { sort: ['author.name'], pagination }, { factsOf }).cost
      }
      expect(at('90') - at('0')).to.be.closeTo(90 / 0.9, 0.001)
      expect(at('9000')).to.be.greaterThan(2000)
    })
  })

  it('are not used for a single document', () => {
    expect(shortcutsOf(searching, books, { of: { documentId: 'x' } })).to.equal(undefined)
  })

  it('cost one scan for the page, with or without the total', () => {
    const type = library.byApiName.get('books')
    if (type === undefined) throw new Error('There are no books')
    const plan = planFor(library, type, searching, { factsOf: () => books })
    const singleProcess = planFor(
      library,
      type,
      { ...searching, pagination: { withCount: 'false' } },
      { factsOf: () => books },
    )
    expect([plan.cost, plan.totalCost]).to.deep.equal([singleProcess.cost, 0])
  })
})
