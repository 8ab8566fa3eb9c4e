import { expect } from 'chai'
import { executionModeOf } from '../../../../engine/read/cost/cost.js'

describe('executionModeOf', () => {
  it('returns inline for a cost below the threshold, and pool from there on', () => {
    expect([0, 99, 100, 101].map((cost) => executionModeOf(cost, 100))).to.deep.equal([
      ...['inline', 'inline', 'pool', 'pool'],
    ])
    expect(executionModeOf(Infinity, Infinity)).to.equal('pool')
  })
})
