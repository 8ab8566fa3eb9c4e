import { expect } from 'chai'
import { copyShared, nextStamp } from '../../../engine/write/change/shared-attributes.js'
import type { Version } from '../../../engine/write/change/change.js'
import { createRegistryFrom } from '../../../engine/schema/define/define-registry.js'
import { typeOf } from '../../../engine/schema/registry.js'
import { definitions } from './model.js'

describe('stamps of shared attributes', () => {
  const locales = new Set(['en', 'fr', 'de'])

  it('differ between locales that write in the same millisecond', () => {
    const stamps = ['en', 'fr', 'de'].map((locale) =>
      nextStamp(0, 1_732_160_000_123, locale, locales),
    )
    expect(new Set(stamps).size).to.equal(3)
    expect(new Set(stamps.map(Math.floor))).to.deep.equal(new Set([1_732_160_000_123]))
  })

  it('increase even if the clock does not', () => {
    const seen = nextStamp(0, 1000, 'fr', locales)
    for (const locale of locales)
      expect(nextStamp(seen, 900, locale, locales)).to.be.greaterThan(seen)
  })

  it('give a new locale the latest value of each shared attribute', () => {
    const type = typeOf(createRegistryFrom(definitions, 1), 'api::article.article')
    const made = { _id: 1, documentId: 'x', publishedAt: null, _revision: 1 }
    const times = { createdAt: new Date(0), updatedAt: new Date(0) }
    const fields = (views: number, kind: string, _stamps: Readonly<Record<string, number>>) =>
      ({ ...made, ...times, locale: null, title: 'own', views, kind, _stamps }) as Version
    const versions = [
      fields(1, 'news', { views: 5, kind: 9 }),
      fields(2, 'guide', { views: 7 }),
      fields(3, 'news', { views: 6, kind: 8 }),
    ]
    for (const siblings of [versions, versions.toReversed()]) {
      const copy = copyShared(type, siblings)
      expect(copy.fields).to.include({ views: 2, kind: 'news', price: null })
      expect(copy.fields).not.to.have.any.keys('title', 'author', 'seo')
      expect(copy.stamps).to.deep.equal({ views: 7, kind: 9 })
    }
  })
})
