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
const standing = [plainIndex(['documentId', 'locale']), plainIndex(['locale', '_id'])]

describe('Indexes that may serve what is asked', () => {
  it('begin with what is equal, the locale first, then have the order, then ranges', () => {
    const found = candidatesFor(demand('kind locale', '-rank -_id', { ranges: ['likes'] }), [])
    expect(names(found)).to.deep.equal([
      'locale+kind+rank+_id',
      'locale+kind+rank+_id+likes',
      'locale+kind+likes+_id',
    ])
  })

  it('have no place for a sort key that is equal in all, and one for a range that is sorted by', () => {
    const found = candidatesFor(demand('kind', 'kind rank _id', { ranges: ['rank'] }), [])
    expect(names(found)).to.deep.equal(['kind+rank+_id'])
  })

  it('say which keys have another direction than the first', () => {
    expect(names(candidatesFor(demand('', '-rank title _id'), []))).to.deep.equal([
      'rank+-title+-_id',
    ])
    expect(names(candidatesFor(demand('', '-rank -_id'), []))).to.deep.equal(['rank+_id'])
  })

  it('begin with what another shape asks for, too', () => {
    const found = candidatesFor(demand('author kind locale', '_id'), [demand('kind locale', '_id')])
    expect(names(found)).to.include.members(['locale+kind+author+_id', 'locale+author+kind+_id'])
  })

  it('hold one reference at most', () => {
    const found = candidatesFor(demand('a.documentId b.documentId kind', '_id'), [])
    expect(names(found)).to.deep.equal(['a.documentId+kind+_id', 'b.documentId+kind+_id'])
  })

  it('are none in the order of a search, which would fetch entry after entry', () => {
    expect(candidatesFor(demand('locale', 'rank _id', { isTested: true }), [])).to.deep.equal([])
    const narrow = candidatesFor(demand('kind', 'rank _id', { isTested: true }), [])
    expect(names(narrow)).to.include('kind+rank+_id')
  })

  it('need no order behind a relation, where all are read', () => {
    expect(names(candidatesFor(demand('name', null), []))).to.deep.equal(['name+_id'])
  })
})

describe('The work of a query by an index', () => {
  const cost = (asked: Demand, fields: readonly string[] | null, rows = 25) =>
    costBy(asked, fields === null ? null : plainIndex(fields), { rows, spread })

  it('is that of all entries without one', () => {
    expect(cost(demand('kind locale', 'rank _id'), null)).to.deep.equal({ page: 2000, total: 2000 })
  })

  it('is that of a page where it has the order', () => {
    const { page, total } = cost(demand('kind locale', '-rank -_id'), [
      'locale',
      'kind',
      'rank',
      '_id',
    ])
    expect(page).to.be.closeTo(5, 0.01)
    expect(total).to.be.closeTo(50, 0.01)
  })

  it('is that of what is found where it has not', () => {
    const { page } = cost(demand('kind locale', '-rank -_id'), ['locale', 'kind', '_id'])
    expect(page).to.be.closeTo(200, 0.01)
  })

  it('counts by the index only what that answers alone', () => {
    const asked = demand('kind locale', 'rank _id', { ranges: ['likes'] })
    const { total: behind } = cost(asked, ['locale', 'kind', 'rank', '_id', 'likes'])
    const { total: before } = cost(asked, ['locale', 'kind', 'likes', '_id'])
    expect(behind).to.be.closeTo(200, 0.01)
    expect(before).to.be.lessThan(20)
  })

  it('is more for a page in order whose entries are tested', () => {
    const { page } = cost(demand('locale', '_id', { isTested: true }), ['locale', '_id'])
    expect(page).to.be.closeTo(25 * 3 * 0.2, 0.01)
  })

  it('goes forwards and backwards', () => {
    const fields = ['a', 'b', '_id']
    expect(isInOrder(keysOf('-a -b -_id'), [], fields)).to.equal(true)
    expect(isInOrder(keysOf('-a b _id'), [], fields)).to.equal(false)
    expect(isInOrder(keysOf('-a b _id'), [], fields, ['b', '_id'])).to.equal(true)
    expect(isInOrder(keysOf('b _id'), ['a'], fields)).to.equal(true)
    expect(isInOrder(keysOf('b _id'), [], fields)).to.equal(false)
  })
})

describe('Which index is worth the most', () => {
  const noted = (
    asked: Demand,
    requests: number,
    more: Partial<ObservedDemand> = {},
  ): ObservedDemand => ({
    ...{ demand: asked, requests, counted: requests, rows: 25, isFrequent: true },
    ...more,
  })
  const rank = (all: readonly ObservedDemand[], more: Partial<Weighing> = {}) =>
    rankIndexes({
      ...{ collection: 'notes', observed: all, existing: standing, spread, writes: 0 },
      isPossible: () => true,
      ...more,
    })

  it('is the one that serves several shapes', () => {
    const [best] = rank([
      noted(demand('kind locale', '_id'), 100),
      noted(demand('featured kind locale', 'rank _id'), 100),
    ])
    expect(best?.index.name).to.equal('quire_locale+kind+featured+rank+_id')
    expect(best?.serves).to.have.length(2)
  })

  it('is none where there is one that serves as well', () => {
    const existing = [...standing, plainIndex(['locale', 'kind', 'rank', '_id'])]
    const asked = noted(demand('kind locale', '-rank -_id'), 1000)
    expect(rank([asked], { existing })).to.deep.equal([])
  })

  it('is none because of what is asked seldom, though it counts where another makes it worth it', () => {
    const seldom = noted(demand('kind locale', '_id'), 5, { isFrequent: false })
    expect(rank([seldom])).to.deep.equal([])
    const [best] = rank([seldom, noted(demand('featured kind locale', 'rank _id'), 500)])
    expect(best?.serves).to.have.length(2)
  })

  it('is none where writes lose too much', () => {
    const asked = noted(demand('kind locale', 'rank _id'), 100)
    const saved = rank([asked])[0]?.saved ?? 0
    expect(rank([asked], { writes: saved / 3 / 5 })).to.not.deep.equal([])
    expect(rank([asked], { writes: saved / 3 / 3 })).to.deep.equal([])
  })

  it('is none of those that may not be made', () => {
    expect(rank([noted(demand('kind locale'), 100)], { isPossible: () => false })).to.deep.equal([])
  })

  it('is found in time linear in the shapes, of which the dearest count', () => {
    const many = Array.from({ length: 256 }, (_, at) => noted(demand(`p${at} locale`), 10 + at))
    const [best] = rank(many)
    expect(best?.index.name).to.equal('quire_locale+p255+_id')
  })
})
