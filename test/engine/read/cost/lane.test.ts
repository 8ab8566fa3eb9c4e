import { expect } from 'chai'
import { laneOf } from '../../../../engine/read/cost/lane.js'

describe('A plan is run', () => {
  it('on the main thread below pool.costThreshold, and in the pool from there on', () => {
    expect([0, 99, 100, 101].map((cost) => laneOf(cost, 100))).to.deep.equal([
      ...['inline', 'inline', 'pool', 'pool'],
    ])
    expect(laneOf(Infinity, Infinity)).to.equal('pool')
  })
})
