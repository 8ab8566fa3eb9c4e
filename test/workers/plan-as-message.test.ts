import { expect } from 'chai'
import { isDeepStrictEqual } from 'node:util'
import { planOf } from '../engine/recorded/recorded-query.js'
import { cases } from '../engine/recorded/cases.js'

describe('read plan', () => {
  it('is unchanged by a structured clone, for every recorded query', () => {
    const plans = cases.map((query) => ({ query, plan: planOf(query) }))
    const sent = plans.filter(({ plan }) => !('refused' in plan))
    expect(sent.length).to.be.at.least(500)
    const changed = sent.filter(({ plan }) => !isDeepStrictEqual(structuredClone(plan), plan))
    expect(changed.map(({ query }) => query)).to.deep.equal([])
  })
})
