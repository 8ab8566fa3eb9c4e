import { expect } from 'chai'
import { candidatesFor } from '../../../engine/indexing/candidates.js'
import type { Demand, OrderKey } from '../../../engine/indexing/demand.js'
import type { Spread } from '../../../engine/indexing/index-cost.js'
import { costBy, isInOrder } from '../../../engine/indexing/index-cost.js'
import type { ObservedDemand, Weighing } from '../../../engine/indexing/rank-indexes.js'
import { rankIndexes } from '../../../engine/indexing/rank-indexes.js'
import { plainIndex } from '../../../engine/schema/index-list.js'

const keysOf = (text: string): readonly OrderKey[] =>
  text
    .split(' ')
    .map((key) =>
      key.startsWith('-') ? { path: key.slice(1), direction: -1 } : { path: key, direction: 1 },
    )
const demand = (
  equal: string,
  sort: string | null = '_id',
  more: Partial<Demand> = {},
): Demand => ({
  ...{ collection: 'notes', equal: equal.split(' ').filter((it) => it !== ''), ranges: [] },
  ...{ isTested: false, sort: sort === null ? null : keysOf(sort) },
  ...more,
})
const spread: Spread = { entries: 10_000, shareOf: (path) => (path === 'locale' ? 1 : 0.1) }
const names = (indexes: readonly { name: string }[]) => indexes.map(({ name }) => name.slice(6))
const currentIndexes = [plainIndex(['documentId', 'locale']), plainIndex(['locale', '_id'])]

describe('candidatesFor', () => {
  it('starts with equality fields (the locale first), then sort keys, then ranges', () => {
    const found = candidatesFor(demand('kind locale', '-rank -_id', { ranges: ['likes'] }), [])
    expect(names(found)).to.deep.equal([
      'locale+kind+rank+_id',
      'locale+kind+rank+_id+likes',
      'locale+kind+likes+_id',
    ])
  })

  it('omits sort keys that have one value, and adds no range that is already a sort key', () => {
    const found = candidatesFor(demand('kind', 'kind rank _id', { ranges: ['rank'] }), [])
    expect(names(found)).to.deep.equal(['kind+rank+_id'])
  })

  it('marks keys whose direction differs from that of the first', () => {
    expect(names(candidatesFor(demand('', '-rank title _id'), []))).to.deep.equal([
      'rank+-title+-_id',
    ])
    expect(names(candidatesFor(demand('', '-rank -_id'), []))).to.deep.equal(['rank+_id'])
  })

  it('adds indexes that start with the equality fields of another query', () => {
    const found = candidatesFor(demand('author kind locale', '_id'), [demand('kind locale', '_id')])
    expect(names(found)).to.include.members(['locale+kind+author+_id', 'locale+author+kind+_id'])
  })

  it('uses at most one reference per index', () => {
    const found = candidatesFor(demand('a.documentId b.documentId kind', '_id'), [])
    expect(names(found)).to.deep.equal(['a.documentId+kind+_id', 'b.documentId+kind+_id'])
  })

  it('returns no index in sort order if entries are tested, unless equality fields narrow them', () => {
    expect(candidatesFor(demand('locale', 'rank _id', { isTested: true }), [])).to.deep.equal([])
    const narrow = candidatesFor(demand('kind', 'rank _id', { isTested: true }), [])
    expect(names(narrow)).to.include('kind+rank+_id')
  })

  it('omits the sort keys if all matches are read', () => {
    expect(names(candidatesFor(demand('name', null), []))).to.deep.equal(['name+_id'])
  })
})

describe('costBy', () => {
  const cost = (query: Demand, fields: readonly string[] | null, rows = 25) =>
    costBy(query, fields === null ? null : plainIndex(fields), { rows, spread })

  it('returns the cost of all entries without an index', () => {
    expect(cost(demand('kind locale', 'rank _id'), null)).to.deep.equal({ page: 2000, total: 2000 })
  })

  it('returns the cost of a page if the index has the sort order', () => {
    const { page, total } = cost(demand('kind locale', '-rank -_id'), [
      'locale',
      'kind',
      'rank',
      '_id',
    ])
    expect(page).to.be.closeTo(5, 0.01)
    expect(total).to.be.closeTo(50, 0.01)
  })

  it('returns the cost of all matches if the index does not have the sort order', () => {
    const { page } = cost(demand('kind locale', '-rank -_id'), ['locale', 'kind', '_id'])
    expect(page).to.be.closeTo(200, 0.01)
  })

  it('narrows by a range only if it directly follows the equality fields', () => {
    const query = demand('kind locale', 'rank _id', { ranges: ['likes'] })
    const { total: behind } = cost(query, ['locale', 'kind', 'rank', '_id', 'likes'])
    const { total: before } = cost(query, ['locale', 'kind', 'likes', '_id'])
    expect(behind).to.be.closeTo(200, 0.01)
    expect(before).to.be.lessThan(20)
  })

  it('returns a higher cost for a page whose entries are tested', () => {
    const { page } = cost(demand('locale', '_id', { isTested: true }), ['locale', '_id'])
    expect(page).to.be.closeTo(25 * 3 * 0.2, 0.01)
  })

  it('uses an index forwards and backwards', () => {
    const fields = ['a', 'b', '_id']
    expect(isInOrder(keysOf('-a -b -_id'), [], fields)).to.equal(true)
    expect(isInOrder(keysOf('-a b _id'), [], fields)).to.equal(false)
    expect(isInOrder(keysOf('-a b _id'), [], fields, ['b', '_id'])).to.equal(true)
    expect(isInOrder(keysOf('b _id'), ['a'], fields)).to.equal(true)
    expect(isInOrder(keysOf('b _id'), [], fields)).to.equal(false)
  })
})

describe('rankIndexes', () => {
  const observed = (
    query: Demand,
    requests: number,
    more: Partial<ObservedDemand> = {},
  ): ObservedDemand => ({
    ...{ demand: query, requests, counted: requests, rows: 25, isFrequent: true },
    ...more,
  })
  const rank = (all: readonly ObservedDemand[], more: Partial<Weighing> = {}) =>
    rankIndexes({
      ...{ observed: all, existing: currentIndexes, spread, writes: 0 },
      isPossible: () => true,
      ...more,
    })

  it('prefers the index that serves several queries', () => {
    const [best] = rank([
      observed(demand('kind locale', '_id'), 100),
      observed(demand('featured kind locale', 'rank _id'), 100),
    ])
    expect(best?.index.name).to.equal('quire_locale+kind+featured+rank+_id')
    expect(best?.serves).to.have.length(2)
  })

  it('returns nothing if an existing index serves as well', () => {
    const existing = [...currentIndexes, plainIndex(['locale', 'kind', 'rank', '_id'])]
    const query = observed(demand('kind locale', '-rank -_id'), 1000)
    expect(rank([query], { existing })).to.deep.equal([])
  })

  it('returns nothing for a rare query alone, but counts it for an index that others need', () => {
    const seldom = observed(demand('kind locale', '_id'), 5, { isFrequent: false })
    expect(rank([seldom])).to.deep.equal([])
    const [best] = rank([seldom, observed(demand('featured kind locale', 'rank _id'), 500)])
    expect(best?.serves).to.have.length(2)
  })

  it('returns nothing if writes lose too much', () => {
    const query = observed(demand('kind locale', 'rank _id'), 100)
    const saved = rank([query])[0]?.saved ?? 0
    expect(rank([query], { writes: saved / 3 / 5 })).to.not.deep.equal([])
    expect(rank([query], { writes: saved / 3 / 3 })).to.deep.equal([])
  })

  it('returns no index that cannot be created', () => {
    expect(rank([observed(demand('kind locale'), 100)], { isPossible: () => false })).to.deep.equal(
      [],
    )
  })

  it('ranks the index of the most expensive of 256 queries first', () => {
    const many = Array.from({ length: 256 }, (_, at) => observed(demand(`p${at} locale`), 10 + at))
    const [best] = rank(many)
    expect(best?.index.name).to.equal('quire_locale+p255+_id')
  })
})
