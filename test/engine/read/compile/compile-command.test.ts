import { expect } from 'chai'
import {
  compileCount,
  compileFind,
  pipelineOf,
} from '../../../../engine/read/compile/compile-command.js'

const filter = { a: 1 }
const projection = { _id: 1 }
const lookup = { $lookup: { from: 'things', as: 'b' } }

describe('What is found by one command', () => {
  it('is found by find where it is matched, sorted, cut and projected alone', () => {
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

  it('is found by an aggregation where it takes more stages', () => {
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

describe('What is counted by one command', () => {
  const total = { $count: 'total' }

  it('is counted by count where it is matched alone', () => {
    expect(compileCount(filter, [])).to.deep.equal({ count: filter })
    expect(pipelineOf({ count: filter })).to.deep.equal([{ $match: filter }, total])
  })

  it('is counted by an aggregation where it looks something up, or is everything', () => {
    expect(compileCount(filter, [lookup])).to.deep.equal({
      aggregate: [{ $match: filter }, lookup, total],
    })
    expect(compileCount({}, [])).to.deep.equal({ aggregate: [{ $match: {} }, total] })
  })
})
