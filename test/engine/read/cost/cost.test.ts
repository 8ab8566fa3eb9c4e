import { expect } from 'chai'
import type { CollectionFacts, ReadPlan, ReadTarget } from '../../../../engine/read.js'
import { planFor } from '../execute/naive/engine-world.js'
import { library } from '../execute/naive/library.js'
import type { Query } from '../execute/naive/query.js'

const indexesOf = (...lists: readonly string[][]): CollectionFacts['indexes'] =>
  lists.map((fields) => ({ fields, isWhole: true }))
const keys = [['documentId'], ['_id']]
const references = [['writer.documentId'], ['topics.documentId']]
const facts: Readonly<Record<string, CollectionFacts>> = {
  books: {
    entries: 100_000,
    indexes: indexesOf(...keys, ['price', '_id'], ...references),
  },
  authors: { entries: 10_000, indexes: indexesOf(['documentId']) },
}
const none: CollectionFacts = { entries: 0, indexes: [] }
const factsOf = (collection: string): CollectionFacts => facts[collection] ?? none

function planOf(query: Query, target: Partial<ReadTarget> = {}, apiName = 'books'): ReadPlan {
  const type = library.byApiName.get(apiName)
  if (type === undefined) throw new Error(`There are no ${apiName}`)
  return planFor(library, type, query, { factsOf, ...target })
}

const withoutTotal = { pagination: { withCount: 'false' } }
const costOf = (query: Query): number => planOf({ ...withoutTotal, ...query }).cost
/** Cost to read and serialize a page of 25 entries if there is no sample. */
const page = 25 + 3.75
/** Fixed cost of each text that a filter searches for. */
const stated = 20
/** Cost to search the text of one entry if there is no sample: one expression on 200 bytes. */
const search = 0.04

describe('cost of a read', () => {
  it('covers only the shown entries if they are found in order', () => {
    expect(costOf({})).to.equal(page)
    expect(costOf({ sort: ['price:desc'] })).to.equal(page)
    expect(planOf({}, { of: { documentId: 'x' } }).cost).to.equal(page / 25)
  })

  it('includes counting the total, which is also reported separately', () => {
    const counted = planOf({})
    expect(counted.cost).to.equal(page + 5000)
    expect(counted.totalCost).to.equal(5000)
    expect(planOf({}, { exactMetadata: true }, 'authors').cost).to.equal(page)
  })

  it('covers one scan for a filter without an index, two if page and total are read separately', () => {
    const scan = 100_000 * (0.2 + 0.02 + search)
    const searching = { filters: { title: { $containsi: 'x' } } }
    expect(costOf(searching)).to.be.closeTo(page + scan + stated, 1)
    expect(planOf(searching).cost).to.be.closeTo(page + scan + stated, 1)
    const far = { ...searching, pagination: { start: '1000' } }
    expect(planOf(far).cost).to.be.closeTo(page + 2 * scan + stated, 1)
    expect(costOf({ filters: { price: { $notIn: ['1'] } } })).to.equal(page + 22_000)
    const either = { $or: [{ price: { $eq: '1' } }, { price: { $notIn: ['1'] } }] }
    expect(costOf({ filters: either })).to.equal(page + 100_000 * (0.2 + 2 * 0.02))
  })

  it('grows with each searched text, but not with each value of $in or $notIn', () => {
    const texts = (count: number) => Array.from({ length: count }, (_, n) => `${n}`)
    const $or = texts(100).map((text) => ({ title: { $containsi: text } }))
    const scan = 100_000 * (0.2 + 100 * (0.02 + search))
    expect(costOf({ filters: { $or } })).to.be.closeTo(page + scan + 100 * stated, 1)
    expect(costOf({ filters: { price: { $in: texts(100) } } })).to.equal(page)
    expect(costOf({ filters: { price: { $notIn: texts(100) } } })).to.equal(page + 22_000)
  })

  it('includes a fixed amount per searched text, even for an empty collection', () => {
    const $or = Array.from({ length: 100 }, (_, n) => ({ title: { $containsi: `${n}` } }))
    const { cost } = planOf({ ...withoutTotal, filters: { $or } }, { factsOf: () => none })
    expect(cost).to.equal(page + 100 * stated)
    const filtered = planOf(
      { ...withoutTotal, populate: { books: { filters: { $or } } } },
      {},
      'authors',
    )
    const plain = planOf({ ...withoutTotal, populate: ['books'] }, {}, 'authors')
    expect(filtered.cost - plain.cost).to.be.greaterThan(100 * stated)
  })

  it('is low for a filter on an index or a key', () => {
    expect(costOf({ filters: { price: { $gt: '1' } } })).to.equal(page)
    expect(planOf({ filters: { price: { $gt: '1' } } }).totalCost).to.equal(2200)
    const two = planOf({ filters: { documentId: { $in: ['a', 'b'] } } })
    expect(two.cost).to.equal((page / 25) * 2 + 0.44)
  })

  it('covers all matches for a sort without an index, and lookups for a sort through a relation', () => {
    expect(costOf({ sort: ['title'] })).to.equal(page + 20_000)
    expect(costOf({ sort: ['title'], filters: { price: { $gt: '1' } } })).to.equal(page + 2200)
    // 10,000 authors are sorted beforehand. 200,000 are too many, so each book looks up its author.
    expect(costOf({ sort: ['author.name'] })).to.equal(page + 50 + 20_000 + 10_000)
    const many = { ...facts, authors: { entries: 200_000, indexes: [] } }
    const factsOf = (collection: string) => many[collection as keyof typeof many] ?? none
    const query = { ...withoutTotal, sort: ['author.name'] }
    expect(planOf(query, { factsOf }).cost).to.equal(page + 50 + 20_000 + 1_000_000)
  })

  it('includes the lookups of each relation in the sort, also if an index has the order of the first key', () => {
    const many: Readonly<Record<string, CollectionFacts>> = {
      ...{ ...facts, authors: { entries: 200_000, indexes: [] } },
      shelves: { entries: 300_000, indexes: [] },
    }
    const target = { factsOf: (collection: string) => many[collection] ?? none }
    const costAt = (...sort: readonly string[]): number =>
      planOf({ ...withoutTotal, sort }, target).cost
    const lookups = 50 + 1_000_000
    expect(costAt('author.name', 'shelf.name')).to.equal(page + 20_000 + 2 * lookups)
    // There are no topics, so these are sorted in advance.
    expect(costAt('author.name', 'topics.name')).to.equal(page + 20_000 + lookups + 50)
    expect(costAt('price', 'author.name')).to.equal(page + 20_000 + lookups)
    // The lookups come before the sort, so all versions are compared.
    const fallback = { locale: 'fr', fallback: 'true', sort: ['author.name'] } as const
    const compared = 100_000 * 3
    const { cost } = planOf({ ...withoutTotal, ...fallback }, target)
    expect(cost).to.equal(page + 20_000 + compared + lookups)
  })

  it('includes comparing versions of the entries up to the end of the page if locales fall back', () => {
    const compared = (more: Query): number =>
      planOf({ locale: 'fr', fallback: 'true', ...more }).cost -
      planOf({ locale: 'fr', ...more }).cost
    expect(compared(withoutTotal)).to.be.closeTo(25 * 3, 0.01)
    const far = { pagination: { start: '1000', withCount: 'false' } }
    expect(compared(far)).to.be.closeTo(1025 * 3, 0.01)
    expect(compared({ ...withoutTotal, sort: ['title'] })).to.be.closeTo(25 * 3, 0.01)
    // The total compares all of them.
    expect(compared({})).to.be.closeTo((25 + 100_000) * 3, 0.01)
  })

  it('covers a scan for a sort or $null on an index that omits nulls', () => {
    const books: CollectionFacts = {
      entries: 100_000,
      indexes: [...indexesOf(...keys, ...references), { fields: ['price'], isWhole: false }],
    }
    const costAt = (query: Query): number =>
      planOf({ ...withoutTotal, ...query }, { factsOf: () => books }).cost
    expect(costAt({ filters: { price: { $eq: '1' } } })).to.equal(page)
    expect(costAt({ filters: { price: { $null: 'true' } } })).to.equal(page + 22_000)
    expect(costAt({ sort: ['price'] })).to.equal(page + 20_000)
  })

  it('is low for a sort on the next index field if the fields before it have one value', () => {
    const books: CollectionFacts = {
      entries: 100_000,
      indexes: indexesOf(...keys, ['price', 'title', '_id']),
    }
    const costAt = (filters: Query['filters']): number => {
      const query = { ...withoutTotal, sort: ['title'], ...(filters && { filters }) }
      return Math.round(planOf(query, { factsOf: () => books }).cost - page)
    }
    expect(costAt({ price: { $eq: '1' } })).to.equal(0)
    expect(costAt({ price: { $in: ['1', '2'] } })).to.equal(2200)
    expect(costAt({ price: { $gt: '1' } })).to.equal(2200)
    // Every entry with that price is tested for the other condition.
    expect(costAt({ $and: [{ price: { $eq: '1' } }, { title: { $gt: 'a' } }] })).to.equal(2400)
    expect(costAt(undefined)).to.equal(20_000)
  })

  it('includes the queries that a filter sends to related collections', () => {
    const filters = { author: { name: { $eq: 'x' } } }
    expect(costOf({ filters })).to.equal(page + 50 + 2200)
  })

  describe('with a sample of the collections', () => {
    const field = (bytes: number, values = 1) => ({ bytes, values })
    const share = (each: number, usual: number, most: number) => ({ each, usual, most })
    const sampled: Readonly<Record<string, CollectionFacts>> = {
      books: {
        ...{ entries: 6000, indexes: indexesOf(...keys, ['price', '_id'], ...references) },
        sample: {
          bytes: 4800,
          fields: new Map([
            ['body2', field(4000)],
            ['title', field(50)],
            ['topics', field(600, 10)],
          ]),
          values: new Map([
            ['price', share(1, 0.001, 0.01)],
            ['topics.documentId', share(10, 1 / 30, 1)],
          ]),
        },
      },
      topics: {
        ...{ entries: 300, indexes: indexesOf(['documentId']) },
        sample: { bytes: 100, fields: new Map([['name', field(60)]]), values: new Map() },
      },
    }
    const planAt = (query: Query, apiName = 'books', target: Partial<ReadTarget> = {}): ReadPlan =>
      planOf(
        { ...withoutTotal, ...query },
        { factsOf: (collection) => sampled[collection.replace('.draft', '')] ?? none, ...target },
        apiName,
      )
    const costAt = (query: Query, apiName?: string): number =>
      Math.round(planAt(query, apiName).cost)

    it('depends on the bytes of the shown fields', () => {
      expect(costAt({ fields: ['title'] })).to.equal(8)
      expect(costAt({})).to.equal(101)
    })

    it('assumes the usual number of referring entries per target, but the highest for one of them', () => {
      const populate = { books: { fields: ['title'] } }
      expect(costAt({ populate }, 'topics')).to.equal(4224)
      const pagination = { pageSize: '1', withCount: 'false' }
      expect(costAt({ populate, pagination }, 'topics')).to.equal(3167)
      expect(costAt({ populate: ['books'], pagination }, 'topics')).to.equal(24_278)
    })

    it('uses the sampled number of references and covers each target once', () => {
      const fields = ['title']
      const one = costAt({ fields })
      expect(costAt({ fields, populate: { topics: { fields: ['name'] } } }) - one).to.equal(173)
    })

    it('is limited by the maximum number of populated entries', () => {
      const populate = { books: { fields: ['title'] } }
      const all = planAt({ populate }, 'topics').cost
      const few = planAt({ populate }, 'topics', { maxPopulatedEntries: 100 }).cost
      expect([Math.round(all), Math.round(few)]).to.deep.equal([4224, 102])
    })

    it('uses the sampled share of an indexed value', () => {
      expect(costAt({ filters: { price: { $eq: '1' } }, sort: ['title'] })).to.equal(26)
      expect(planAt({ filters: { price: { $eq: '1' } }, pagination: {} }).totalCost).to.be.closeTo(
        1.32,
        0.01,
      )
      const few = { price: { $in: ['1', '2', '3'] } }
      expect(planAt({ filters: few, pagination: {} }).totalCost).to.be.closeTo(3.96, 0.01)
    })

    it('grows with the length of the searched text', () => {
      const searched = (name: string): number =>
        costAt({ filters: { [name]: { $containsi: 'x' } }, fields: ['title'] })
      expect([searched('title'), searched('body')]).to.deep.equal([1408, 6148])
    })

    it('grows with the number of searched texts, wherever the filter is', () => {
      const texts = Array.from({ length: 11 }, (_, n) => `${n}`)
      type Searched = NonNullable<Query['filters']>
      const tenTexts = (of: (searched: Searched) => Query, apiName?: string): number =>
        Math.round(
          costAt(of({ $containsi: texts }), apiName) - costAt(of({ $containsi: ['0'] }), apiName),
        )
      const each = 10 * (0.02 + 4000 * 0.0002)
      const searched = Math.round(6000 * each + 10 * 20)
      expect(tenTexts((body) => ({ filters: { body } }))).to.equal(searched)
      expect(tenTexts((body) => ({ filters: { books: { body } } }), 'topics')).to.equal(searched)
      const populated = tenTexts(
        (body) => ({ populate: { books: { filters: { body }, count: 'true' } } }),
        'topics',
      )
      expect(populated).to.equal(searched)
      // No sampled entry has this JSON, so no bytes are searched.
      const inJson = tenTexts((texts) => ({ filters: { meta: { name: texts } } }))
      expect(inJson).to.equal(6000 * 10 * 0.02 + 10 * 20)
    })

    it('causes an error above the time limit, unless the page may be full earlier', () => {
      const body = { $containsi: Array.from({ length: 100 }, (_, n) => `${n}`) }
      const plan = (query: Query, target: Partial<ReadTarget> = {}) => {
        const limits = { maxCost: 20_000_000, timeoutMs: 4000, ...target }
        return () => planAt({ fields: ['title'], filters: { body }, ...query }, 'books', limits)
      }
      const counted = { pagination: {} }
      expect(plan(counted))
        .to.throw(
          'The estimated time of 4952 ms exceeds the limit of 4000 (api.rest.queryTimeoutMs)',
        )
        .with.property('details')
        .that.includes({ bound: 'api.rest.queryTimeoutMs', limit: 4000 })
      expect(plan({ sort: ['title'] }), 'without a total').to.throw('The estimated time of 4952 ms')
      expect(plan({})).not.to.throw()
      expect(plan(counted, { timeoutMs: 5000 })).not.to.throw()
      expect(plan(counted, { maxCost: 0 })).not.to.throw()
    })

    it('causes an error above the time limit if the filter of a populated relation takes longer', () => {
      const texts = Array.from({ length: 200 }, (_, n) => `${n}`)
      const filters = { body: { $containsi: texts } }
      const plan = (facts?: ReadTarget['factsOf']) => () =>
        planAt({ populate: { books: { filters } } }, 'topics', {
          ...{ maxCost: 20_000_000, timeoutMs: 4000, maxPopulatedEntries: 100 },
          ...(facts && { factsOf: facts }),
        })
      // All 6,000 books may be tested, although few are shown.
      expect(plan()).to.throw('The estimated time of 9892 ms exceeds the limit of 4000')
      expect(plan(() => none)).not.to.throw()
    })

    it('causes no time limit error if it is a guess: unknown collection, disk access or populate', () => {
      const limits = { maxCost: 20_000_000, timeoutMs: 1 }
      const populate = { books: { populate: ['topics'] } }
      for (const target of [limits, { ...limits, factsOf: () => none }])
        expect(() => planAt({ populate }, 'topics', target)).not.to.throw()
      const large: CollectionFacts = {
        ...{ entries: 1_000_000, indexes: indexesOf(['price', '_id']) },
        sample: { bytes: 10_000, fields: new Map([['title', field(50)]]), values: new Map() },
      }
      const target = { ...limits, timeoutMs: 10_000, factsOf: () => large }
      const query = { filters: { title: { $containsi: 'x' } }, pagination: {} }
      expect(planAt(query, 'books', target).cost).to.be.greaterThan(1_000_000)
    })

    it('causes an error above maxCost that lists the most expensive parts', () => {
      const plan = () =>
        planAt({ populate: ['books.topics'], filters: { name: { $contains: 'x' } } }, 'topics', {
          maxCost: 1000,
        })
      expect(plan)
        .to.throw('The estimated cost of 28052 exceeds the limit of 1000 (api.rest.maxCost)')
        .with.property('details')
        .that.deep.equals({
          ...{ bound: 'api.rest.maxCost', limit: 1000, cost: 28_052 },
          dearest: [
            { part: 'populate books', cost: 22_807 },
            { part: 'populate books.topics', cost: 2631 },
            { part: 'answer', cost: 2517 },
            { part: 'page', cost: 79 },
            { part: 'filters', cost: 20 },
          ],
        })
    })
  })

  it('covers only the shown entries if nothing is known about the collections', () => {
    expect(planOf({ sort: ['title'] }, { factsOf: undefined }).cost).to.equal(page)
  })
})
