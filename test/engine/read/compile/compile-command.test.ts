import { expect } from 'chai'
import {
  compileCount,
  compileFind,
  pipelineOf,
} from '../../../../engine/read/compile/compile-command.js'

const filter = { a: 1 }
const projection = { _id: 1 }
const lookup = { $lookup: { from: 'things', as: 'b' } }

describe('compileFind', () => {
  it('returns a find command if matching, sorting, paging and projecting suffice', () => {
    const find = { filter, sort: { a: 1 }, skip: 2, limit: 3, projection } as const
    const command = compileFind({ ...find, beforeSort: [], afterSort: [] })
    expect(command).to.deep.equal({ find })
    expect(pipelineOf(command)).to.deep.equal([
      { $match: filter },
      { $sort: { a: 1 } },
      { $skip: 2 },
      { $limit: 3 },
      { $project: projection },
    ])
  })

  it('returns an aggregation if more stages are needed', () => {
    const find = { filter, sort: { a: 1 }, limit: 3, projection } as const
    const [match, ...rest] = [
      ...[{ $match: filter }, { $sort: { a: 1 } }],
      ...[{ $limit: 3 }, { $project: projection }],
    ]
    const before = { aggregate: [match, lookup, ...rest] }
    expect(compileFind({ ...find, beforeSort: [lookup] })).to.deep.equal(before)
    const [sort, ...cut] = rest
    const after = { aggregate: [match, sort, lookup, ...cut] }
    expect(compileFind({ ...find, afterSort: [lookup] })).to.deep.equal(after)
    expect(pipelineOf(compileFind({ ...find, afterSort: [lookup] }))).to.deep.equal(after.aggregate)
  })
})

describe('compileCount', () => {
  const total = { $count: 'total' }

  it('returns a count command if only matching is needed', () => {
    expect(compileCount(filter, [])).to.deep.equal({ count: filter })
    expect(pipelineOf({ count: filter })).to.deep.equal([{ $match: filter }, total])
  })

  it('returns an aggregation if there are lookups or no filter', () => {
    expect(compileCount(filter, [lookup])).to.deep.equal({
      aggregate: [{ $match: filter }, lookup, total],
    })
    expect(compileCount({}, [])).to.deep.equal({ aggregate: [{ $match: {} }, total] })
  })
})
