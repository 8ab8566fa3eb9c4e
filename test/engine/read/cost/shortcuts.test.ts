import { expect } from 'chai'
import type { CollectionFacts, ReadTarget } from '../../../../engine/read.js'
import type { Shortcuts } from '../../../../engine/read/plan/read-plan.js'
import { planFor } from '../execute/naive/engine-world.js'
import { library } from '../execute/naive/library.js'
import type { Query } from '../execute/naive/query.js'

const indexesOf = (...lists: readonly string[][]): CollectionFacts['indexes'] =>
  lists.map((fields) => ({ fields, isWhole: true }))

/** Of books, nine tenths are in English. The price is indexed, and the relations are. */
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

describe('A page and its total', () => {
  it('are found together where no index could find either', () => {
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

  it('are found together where an index begins with the locale alone', () => {
    const both = { together: true, ...natural(false, true) }
    expect(shortcutsOf(searching, withIndex('locale', 'pages', '_id'))).to.deep.equal(both)
    expect(shortcutsOf({ ...searching, locale: 'fr' }, withIndex('locale', '_id'))).to.deep.equal({
      together: true,
    })
  })

  it('are read apart where an index may find them, or only one of them is asked for', () => {
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

  it('are read apart where an index has the field in any place, because its keys may be gone through', () => {
    expect(shortcutsOf(searching, withIndex('price', 'title', '_id'))).to.equal(undefined)
    const partial = { fields: ['title'], isWhole: false }
    const unique = { ...books, indexes: [...books.indexes, partial] }
    // One that leaves entries out serves no search within texts.
    expect(shortcutsOf(searching, unique)).to.have.property('together', true)
    expect(shortcutsOf({ filters: { title: { $startsWith: 'x' } } }, unique)).to.equal(undefined)
    const sample = books.sample && { ...books.sample, indexed: new Set(['title', '_id']) }
    expect(shortcutsOf(searching, { ...books, sample })).to.equal(undefined)
  })

  it('are read apart where most entries are expected to satisfy a filter, and are in order', () => {
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

  it('are read apart far behind, where too much would be held', () => {
    const at = (start: number, facts = books) =>
      shortcutsOf({ ...searching, sort: ['title'], pagination: { start: `${start}` } }, facts)
    expect(at(975)).to.have.property('together', true)
    expect(at(976)).to.deep.equal(natural(true, true))
    const long = new Map([['title', { bytes: 5000, values: 1 }]])
    const sample = books.sample && { ...books.sample, fields: long }
    expect(at(175, { ...books, sample })).to.have.property('together', true)
    expect(at(176, { ...books, sample })).to.deep.equal(natural(true, true))
  })

  it('are read apart in a collection that is small, or of which nothing is known', () => {
    expect(shortcutsOf(searching, { ...books, entries: 300 })).to.equal(undefined)
    expect(shortcutsOf(searching, { ...books, entries: 0 })).to.equal(undefined)
  })

  it('are gone through as they are stored where most entries are in the locales', () => {
    const total = (query: Query, facts = books): unknown =>
      shortcutsOf({ ...searching, ...query }, facts)?.natural?.total
    expect(total({ locale: 'en' })).to.equal(true)
    expect(total({ locale: 'fr' })).to.equal(undefined)
    expect(total({ locale: '*' })).to.equal(true)
    expect(total({ locale: ['fr', 'en'] })).to.equal(true)
    expect(total({}, { ...books, sample: undefined })).to.equal(undefined)
    expect(shortcutsOf({ ...searching, locale: 'fr' })).to.deep.equal({ together: true })
  })

  it('leave a page to its index, and one that is sorted without an index go as it is stored', () => {
    expect(shortcutsOf({ sort: ['pages'] })).to.deep.equal(natural(true, false))
    expect(shortcutsOf({ sort: ['pages'], locale: 'fr' })).to.equal(undefined)
    expect(shortcutsOf({ sort: ['price'] })).to.equal(undefined)
    const sample = books.sample && { ...books.sample, indexed: new Set(['pages', 'price']) }
    expect(shortcutsOf({ sort: ['pages'] }, { ...books, sample })).to.equal(undefined)
    expect(shortcutsOf({ sort: ['topics.name'] })).to.deep.equal(natural(true, false))
    const filters = { price: { $gt: '1' } }
    expect(shortcutsOf({ sort: ['pages'], filters })).to.equal(undefined)
  })

  describe('that is sorted through a relation', () => {
    const walked = { byTarget: true }
    const sorted = (query: Query = {}, facts = books): unknown =>
      shortcutsOf({ sort: ['author.name', 'pages'], ...query }, facts)

    it('is walked from target to target, where an index has the entries of each', () => {
      expect(sorted()).to.deep.equal(walked)
      expect(sorted({ locale: '*' })).to.deep.equal(walked)
      // An index of all of them, behind other fields, has them nowhere together.
      const without = indexesOf(['_id'], ['price', 'writer.documentId'])
      expect(sorted({}, { ...books, indexes: without })).to.deep.equal(natural(true, false))
    })

    it('is not walked where few would be found on the way', () => {
      const few = { locale: 'fr', pagination: { start: '100', limit: '100' } }
      expect(sorted(few)).to.equal(undefined)
      expect(sorted({ pagination: { start: '1500' } })).to.deep.equal(natural(true, false))
      expect(sorted({ filters: { pages: { $eq: '1' } } })).to.have.property('together', true)
      expect(sorted({}, { ...books, sample: undefined })).to.equal(undefined)
      expect(sorted({}, { ...books, entries: 2000 })).to.deep.equal(natural(true, false))
    })

    it('is not walked by a list of targets, or where another key goes through a relation', () => {
      expect(shortcutsOf({ sort: ['topics.name'] })).to.not.have.property('byTarget')
      expect(sorted({ sort: ['pages', 'author.name'] })).to.deep.equal(natural(true, false))
      const two = { sort: ['author.name', 'shelf.place'] }
      expect(sorted(two)).to.deep.equal(natural(true, false))
    })

    it('costs what the walk does', () => {
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

  it('of one document have no shortcut', () => {
    expect(shortcutsOf(searching, books, { of: { documentId: 'x' } })).to.equal(undefined)
  })

  it('cost one way through the collection, whether the total is known or not', () => {
    const type = library.byApiName.get('books')
    if (type === undefined) throw new Error('There are no books')
    const plan = planFor(library, type, searching, { factsOf: () => books })
    const alone = planFor(
      library,
      type,
      { ...searching, pagination: { withCount: 'false' } },
      { factsOf: () => books },
    )
    expect([plan.cost, plan.totalCost]).to.deep.equal([alone.cost, 0])
  })
})
