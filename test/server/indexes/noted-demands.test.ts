import { expect } from 'chai'
import type { ReadPlan } from '../../../engine/read.js'
import type { Condition, SortKey } from '../../../engine/read/plan/read-plan.js'
import type { ObservedDemands } from '../../../server/indexes/observed-demands.js'
import {
  createObservedDemands,
  countingExecutor,
} from '../../../server/indexes/observed-demands.js'

const day = 86_400_000

describe('observed demand', () => {
  let time: number
  let demands: ObservedDemands
  beforeEach(() => {
    time = 0
    demands = createObservedDemands({ now: () => time, minRequests: 10, minMs: 1000, most: 50 })
  })

  const equal = (path: string): Condition => ({
    ...{ kind: 'test', path },
    test: { op: 'in', values: [{ as: 'text', value: 'x' }] },
  })
  const byId = (): readonly SortKey[] => [{ through: [], path: '_id', direction: 1 }]
  const planOf = (path: string, more: Partial<ReadPlan> = {}): ReadPlan => {
    const plan: Partial<ReadPlan> = {
      ...{ answer: 'list', collection: 'notes', match: equal(path), sort: byId() },
      ...{ skip: 0, limit: 25, pagination: { by: 'page', total: 'count' } },
      ...more,
    }
    return plan as ReadPlan
  }
  const times = (count: number, plan: ReadPlan): void => {
    for (let done = 0; done < count; done += 1) demands.note(plan)
  }

  it('is counted by query shape, with its totals and the depth of its pages', () => {
    const plan = planOf('kind')
    times(3, plan)
    demands.note({ ...plan, skip: 75, pagination: { by: 'page', total: 'none' } })
    const [only, ...more] = demands.list()
    expect(more).to.deep.equal([])
    expect(only).to.deep.include({ requests: 4, counted: 3, rows: (3 * 25 + 100) / 4 })
    expect(only?.demand).to.deep.equal({
      ...{ collection: 'notes', equal: ['kind'], ranges: [], isTested: false },
      sort: [{ path: '_id', direction: 1 }],
    })
  })

  it('is shared by equal plans', () => {
    times(5, planOf('kind'))
    times(5, planOf('kind'))
    expect(demands.list().map(({ requests }) => requests)).to.deep.equal([10])
  })

  it('is frequent after many requests over some time', () => {
    times(1000, planOf('kind'))
    expect(demands.list()[0]?.isFrequent).to.equal(false)
    time = 1000
    expect(demands.list()[0]?.isFrequent).to.equal(true)
    times(9, planOf('other'))
    time = 10_000
    expect(demands.list().map(({ isFrequent }) => isFrequent)).to.deep.equal([true, false])
  })

  it('is new from when it becomes frequent until it is taken', () => {
    times(20, planOf('kind'))
    expect(demands.hasNew()).to.equal(false)
    demands.takeRecent()
    time = 1000
    expect(demands.hasNew()).to.equal(true)
    demands.takeRecent()
    expect(demands.hasNew()).to.equal(false)
    times(100, planOf('kind'))
    expect(demands.hasNew()).to.equal(false)
  })

  it('counts half after a day', () => {
    times(100, planOf('kind'))
    demands.wrote('api::note.note')
    time = day
    expect(demands.list()[0]?.requests).to.be.closeTo(50, 0.01)
    expect(demands.writesTo('api::note.note')).to.be.closeTo(0.5, 0.01)
    time = 2 * day
    expect(demands.list()[0]?.requests).to.be.closeTo(25, 0.01)
  })

  it('is limited in number, and repeated demands stay', () => {
    const frequent = planOf('kind')
    times(5, frequent)
    for (let count = 0; count < 10_000; count += 1) demands.note(planOf(`attack${count}`))
    times(1, frequent)
    expect(demands.size()).to.be.within(37, 50)
    const repeated = demands.list().find(({ demand }) => demand.equal.includes('kind'))
    expect(repeated?.requests).to.equal(6)
  })

  it('starts from zero after it was evicted', () => {
    const forgotten = planOf('kind')
    demands.note(forgotten)
    for (let count = 0; count < 100; count += 1) times(2, planOf(`other${count}`))
    expect(demands.list().some(({ demand }) => demand.equal.includes('kind'))).to.equal(false)
    times(3, forgotten)
    const again = demands.list().find(({ demand }) => demand.equal.includes('kind'))
    expect(again?.requests).to.equal(3)
  })

  it('excludes what needs no index: reads by key, lists in default order and searches', () => {
    demands.note(planOf('documentId'))
    demands.note(planOf('_id'))
    demands.note(planOf('locale'))
    demands.note(planOf('kind', { answer: 'one' }))
    const contains: Condition = {
      ...{ kind: 'test', path: 'title' },
      test: { op: 'match', how: 'contains', insensitive: true, negated: false, texts: ['x'] },
    }
    demands.note(planOf('', { match: contains }))
    const rank: SortKey = { through: [], path: 'rank', direction: 1 }
    demands.note(planOf('', { match: contains, sort: [rank, ...byId()] }))
    expect(demands.list()).to.deep.equal([])
    expect(demands.isRecent()).to.equal(false)
  })

  it('includes targets that an entry must not have', () => {
    const related: Condition = {
      kind: 'related',
      link: {
        collection: 'tags',
        stored: 'here',
        path: 'tags',
        many: true,
        locale: { kind: 'none' },
      },
      ...{ of: equal('name'), orNone: false },
    }
    demands.note(planOf('', { match: { kind: 'none', of: [related] } }))
    expect(demands.list().map(({ demand }) => [demand.collection, demand.equal])).to.deep.equal([
      ['tags', ['name']],
    ])
  })

  it('is returned as recent only once', () => {
    times(2, planOf('kind'))
    expect(demands.isRecent()).to.equal(true)
    expect(demands.takeRecent()).to.have.length(1)
    expect([demands.isRecent(), demands.takeRecent()]).to.deep.equal([false, []])
    expect(demands.list()).to.have.length(1)
  })

  it('is recorded when a read runs', async () => {
    const executor = countingExecutor({ run: () => Promise.resolve(null) }, demands)
    expect(await executor.run(planOf('kind'))).to.equal(null)
    expect(demands.list()).to.have.length(1)
  })
})
