import { expect } from 'chai'
import type { ApiError } from '../../engine/errors.js'
import { createRateLimit, type RateLimit } from '../../server/auth/rate-limit.js'

describe('the rate limit', () => {
  const refusal = (limit: RateLimit, ...parts: string[]): ApiError | undefined => {
    try {
      limit(...parts)
      return undefined
    } catch (error) {
      return error as ApiError
    }
  }

  it('refuses the attempt after the last one allowed, and says when to come back', () => {
    let time = 0
    const limit = createRateLimit(3, { now: () => time })
    for (let attempt = 0; attempt < 3; attempt += 1) limit('callback', '::1', 'ana')
    time = 20_000
    const refused = refusal(limit, 'callback', '::1', 'ana')
    expect(refused).to.include({ status: 429, name: 'RateLimitError' })
    expect(refused?.headers).to.deep.equal({ 'Retry-After': '40' })
    time = 60_000
    expect(refusal(limit, 'callback', '::1', 'ana')).to.be.undefined
  })

  it('counts every address and identifier for itself', () => {
    const limit = createRateLimit(1)
    limit('callback', '::1', 'ana')
    expect(refusal(limit, 'callback', '::1', 'ana')).not.to.be.undefined
    expect(refusal(limit, 'callback', '::1', 'bob')).to.be.undefined
    expect(refusal(limit, 'callback', '::2', 'ana')).to.be.undefined
    expect(refusal(limit, 'register', '::1', 'ana')).to.be.undefined
    expect(refusal(limit, 'callback', '::1a', 'na')).to.be.undefined
  })

  it('remembers a bounded number of them', () => {
    const limit = createRateLimit(1, { maxKeys: 2 })
    for (const name of ['ana', 'bob', 'cleo']) limit('callback', '::1', name)
    expect(refusal(limit, 'callback', '::1', 'cleo')).not.to.be.undefined
    expect(refusal(limit, 'callback', '::1', 'ana')).to.be.undefined
  })
})
