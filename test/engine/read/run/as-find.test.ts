import { expect } from 'chai'
import { asCount, asFind } from '../../../../engine/read/run/as-find.js'

describe('A pipeline is run as a find', () => {
  const [match, project] = [{ $match: { a: 1 } }, { $project: { _id: 1 } }]

  it('where it only matches, sorts, cuts and projects, in this order', () => {
    expect(
      asFind([match, { $sort: { a: 1 } }, { $skip: 2 }, { $limit: 3 }, project]),
    ).to.deep.equal({
      filter: { a: 1 },
      options: { projection: { _id: 1 }, sort: { a: 1 }, skip: 2, limit: 3, batchSize: 1_000_000 },
    })
    expect(asFind([match, project])).to.deep.equal({
      filter: { a: 1 },
      options: { projection: { _id: 1 }, batchSize: 1_000_000 },
    })
  })

  it('without a batch size where one document is asked for', () => {
    expect(asFind([match, { $limit: 1 }, project])?.options).to.deep.equal({
      projection: { _id: 1 },
      limit: 1,
      singleBatch: true,
    })
  })

  it('and not where it does anything else, or in another order', () => {
    expect(asFind([match, { $limit: 3 }, { $sort: { a: 1 } }, project])).to.equal(undefined)
    expect(asFind([match, { $count: 'total' }])).to.equal(undefined)
    expect(asFind([match, { $lookup: {} }, { $sort: { a: 1 } }, project])).to.equal(undefined)
    expect(asFind([match])).to.equal(undefined)
  })
})

describe('A pipeline is run as a count', () => {
  const count = { $count: 'total' }

  it('where it only matches and counts', () => {
    expect(asCount([{ $match: { a: 1 } }, count])).to.deep.equal({ a: 1 })
  })

  it('and not where it looks something up, or counts everything, which metadata would answer', () => {
    expect(asCount([{ $match: { a: 1 } }, { $lookup: {} }, count])).to.equal(undefined)
    expect(asCount([{ $match: {} }, count])).to.equal(undefined)
    expect(asCount([{ $match: { a: 1 } }, { $project: { a: 1 } }])).to.equal(undefined)
  })
})
