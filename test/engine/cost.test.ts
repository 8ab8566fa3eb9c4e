import { expect } from 'chai'
import type { CollectionFacts, ReadPlan, ReadTarget } from '../../engine/read.js'
import { planFor } from './naive/engine-world.js'
import { library } from './naive/library.js'
import type { Query } from './naive/query.js'

/** Books are many; of their attributes the price is indexed, and the relations are. */
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

describe('The cost of a read', () => {
  it('is the entries that are shown, where they are found in order', () => {
    expect(costOf({})).to.equal(25)
    expect(costOf({ sort: ['price:desc'] })).to.equal(25)
    expect(costOf({ populate: ['author'] })).to.equal(50)
    expect(planOf({}, { of: { documentId: 'x' } }).cost).to.equal(1)
  })

  it('has the counting of a total in it, which is told apart', () => {
    const counted = planOf({})
    expect(counted.cost).to.equal(25 + 5000)
    expect(counted.totalCost).to.equal(5000)
    expect(planOf({}, { exactMetadata: true }, 'authors').cost).to.equal(25)
  })

  it('is that of the whole collection for a filter without an index, twice with a total', () => {
    expect(costOf({ filters: { title: { $containsi: 'x' } } })).to.equal(25 + 20_000)
    expect(planOf({ filters: { title: { $containsi: 'x' } } }).cost).to.equal(25 + 40_000)
    expect(costOf({ filters: { price: { $notIn: ['1'] } } })).to.equal(25 + 20_000)
    const either = { $or: [{ price: { $eq: '1' } }, { title: { $eq: 'x' } }] }
    expect(costOf({ filters: either })).to.equal(25 + 20_000)
  })

  it('is little for a filter with an index, and for a key', () => {
    expect(costOf({ filters: { price: { $gt: '1' } } })).to.equal(25)
    expect(planOf({ filters: { price: { $gt: '1' } } }).totalCost).to.equal(2000)
    expect(planOf({ filters: { documentId: { $in: ['a', 'b'] } } }).cost).to.equal(25)
  })

  it('is that of all that match for a sort without an index, and more through a relation', () => {
    expect(costOf({ sort: ['title'] })).to.equal(25 + 20_000)
    expect(costOf({ sort: ['title'], filters: { price: { $gt: '1' } } })).to.equal(25 + 2000)
    // As many authors are put in order beforehand, and more are looked up for each book.
    expect(costOf({ sort: ['author.name'] })).to.equal(25 + 50 + 20_000 + 10_000)
    const many = { ...facts, authors: { entries: 200_000, indexes: [] } }
    const factsOf = (collection: string) => many[collection as keyof typeof many] ?? none
    const query = { ...withoutTotal, sort: ['author.name'] }
    expect(planOf(query, { factsOf }).cost).to.equal(25 + 50 + 1_000_000)
  })

  it('is that of a scan for what an index without nulls cannot answer: a sort, and what is null', () => {
    const books: CollectionFacts = {
      entries: 100_000,
      indexes: [...indexesOf(...keys, ...references), { fields: ['price'], isWhole: false }],
    }
    const costAt = (query: Query): number =>
      planOf({ ...withoutTotal, ...query }, { factsOf: () => books }).cost
    expect(costAt({ filters: { price: { $eq: '1' } } })).to.equal(25)
    expect(costAt({ filters: { price: { $null: 'true' } } })).to.equal(25 + 20_000)
    expect(costAt({ sort: ['price'] })).to.equal(25 + 20_000)
  })

  it('is little for a sort that an index of several fields serves, behind those that have one value', () => {
    const books: CollectionFacts = {
      entries: 100_000,
      indexes: indexesOf(...keys, ['price', 'title', '_id']),
    }
    const costAt = (filters: Query['filters']): number => {
      const query = { ...withoutTotal, sort: ['title'], ...(filters && { filters }) }
      return planOf(query, { factsOf: () => books }).cost
    }
    expect(costAt({ price: { $eq: '1' } })).to.equal(25)
    expect(costAt({ $and: [{ price: { $eq: '1' } }, { title: { $gt: 'a' } }] })).to.equal(25)
    expect(costAt({ price: { $in: ['1', '2'] } })).to.equal(25 + 2000)
    expect(costAt({ price: { $gt: '1' } })).to.equal(25 + 2000)
    const either = { $or: [{ price: { $eq: '1' } }, { price: { $eq: '2' } }] }
    expect(costAt(either)).to.equal(25 + 2000)
    expect(costAt(undefined)).to.equal(25 + 20_000)
  })

  it('has in it what a filter asks of related collections', () => {
    expect(costOf({ filters: { author: { name: { $eq: 'x' } } } })).to.equal(25 + 50 + 2000)
  })

  it('is that of the entries alone while nothing is known of the collections', () => {
    expect(planOf({ sort: ['title'] }, { factsOf: undefined }).cost).to.equal(25)
  })
})
