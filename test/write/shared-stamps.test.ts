import { expect } from 'chai'
import { nextStamp } from '../../engine/change/shared.js'

describe('Stamps of values that locales share', () => {
  const locales = new Set(['en', 'fr', 'de'])

  it('differ between locales that write in the same millisecond', () => {
    const stamps = ['en', 'fr', 'de'].map((locale) =>
      nextStamp(0, 1_732_160_000_123, locale, locales),
    )
    expect(new Set(stamps).size).to.equal(3)
    expect(new Set(stamps.map(Math.floor))).to.deep.equal(new Set([1_732_160_000_123]))
  })

  it('rise above what was seen, also when the clock does not', () => {
    const seen = nextStamp(0, 1000, 'fr', locales)
    for (const locale of locales)
      expect(nextStamp(seen, 900, locale, locales)).to.be.greaterThan(seen)
  })
})
