import { expect } from 'chai'
import { isDeepStrictEqual } from 'node:util'
import { planOf } from '../engine/recorded/ask.js'
import { cases } from '../engine/recorded/cases.js'

describe('The plan of a read', () => {
  it('is the same after it was sent to a worker, for every recorded query', () => {
    const plans = cases.map((asked) => ({ asked, plan: planOf(asked) }))
    const sent = plans.filter(({ plan }) => !('refused' in plan))
    expect(sent.length).to.be.at.least(500)
    const changed = sent.filter(({ plan }) => !isDeepStrictEqual(structuredClone(plan), plan))
    expect(changed.map(({ asked }) => asked)).to.deep.equal([])
  })
})
