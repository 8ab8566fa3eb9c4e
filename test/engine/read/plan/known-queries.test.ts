import { expect } from 'chai'
import { fullGrant } from '../../../../engine/schema/grant.js'
import { createRegistry } from '../../../../engine/schema/registry.js'
import { createCountingCache } from '../resolve/counting-cache.js'
import { blog, prepare } from '../execute/prepare.js'

describe('query cache', () => {
  const counting = () => {
    const { cache, made } = createCountingCache()
    return { made, ask: (search: string, options = {}) => prepare(search, { cache, ...options }) }
  }

  it('returns the cached query for the same query string', () => {
    const { made, ask } = counting()
    ask('filters[title]=a')
    ask('filters[title]=a')
    expect(made).to.deep.equal({ texts: 1, shapes: 1, plans: 1 })
  })

  it('reuses the plan of a query that differs only in its values', () => {
    const { made, ask } = counting()
    ask('filters[title]=a&pagination[page]=1')
    ask('filters[title]=b&pagination[page]=2')
    ask('filters[title]=c')
    expect(made).to.deep.equal({ texts: 3, shapes: 1, plans: 1 })
    ask('filters[title]=c&sort=title')
    expect(made).to.deep.equal({ texts: 4, shapes: 2, plans: 2 })
  })

  it('plans a query once per locale', () => {
    const { made, ask } = counting()
    for (const locale of ['en', 'fr', 'xx', 'yy', 'en', '*']) ask(`populate=tags&locale=${locale}`)
    ask('populate=tags')
    // All locales that are not configured share one plan.
    expect(made).to.deep.equal({ texts: 6, shapes: 1, plans: 4 })
  })

  it('starts empty when the schema changes', () => {
    const { made, ask } = counting()
    ask('filters[title]=a')
    const registry = createRegistry(blog.contentTypes.values(), blog.components.values(), 2)
    ask('filters[title]=a', { registry })
    expect(made).to.deep.equal({ texts: 2, shapes: 2, plans: 2 })
  })

  it('does not cache a rejected query', () => {
    const { made, ask } = counting()
    expect(() => ask('filters[views][$gt]=x')).to.throw('Expected a number')
    expect(() => ask('filters[views][$gt]=x')).to.throw('Expected a number')
    expect(made).to.deep.equal({ texts: 2, shapes: 2, plans: 0 })
    ask('filters[views][$gt]=1')
    expect(() => ask('filters[views][$gt]=x')).to.throw('Expected a number')
    expect(made).to.deep.equal({ texts: 4, shapes: 3, plans: 1 })
  })

  it('keeps separate plans for each grant', () => {
    const { made, ask } = counting()
    const names = (title: string, grant: typeof fullGrant) =>
      ask(`populate=author,tags&filters[title]=${title}`, { grant })
        .plan()
        .node.members.flatMap((member) => (member.kind === 'edge' ? member.name : []))
    const actions = new Set(['api::article.article.find', 'api::tag.tag.find'])
    const some = { key: 'some', actions }
    expect(names('a', fullGrant)).to.deep.equal(['author', 'tags'])
    expect(names('a', some)).to.deep.equal(['tags'])
    expect(names('b', some)).to.deep.equal(['tags'])
    expect(names('b', fullGrant)).to.deep.equal(['author', 'tags'])
    expect(made).to.deep.equal({ texts: 4, shapes: 2, plans: 2 })
  })

  it('does not confuse an invalid status with a cached query', () => {
    const { ask } = counting()
    ask('_q=a&status=published')
    expect(() => ask('status=published%20_q')).to.throw("Invalid parameter at 'status'")
  })

  it('keeps separate entries per purpose and rejects several locales for a write', () => {
    const { made, ask } = counting()
    const answer = { purpose: 'answer' }
    ask('filters[title]=a')
    ask('filters[title]=a', answer)
    expect(made.shapes).to.equal(2)
    ask('locale=en', answer)
    expect(() => ask('locale[]=en&locale[]=fr', answer)).to.throw('A write is in one locale')
  })

  it('evicts the oldest query strings beyond its limit', () => {
    const { made, ask } = counting()
    const texts = Array.from({ length: 5000 }, (_, n) => `filters[title]=${n}`)
    for (const text of texts) ask(text)
    expect(made).to.deep.equal({ texts: 5000, shapes: 1, plans: 1 })
    ask('filters[title]=4999')
    expect(made.texts).to.equal(5000)
    ask('filters[title]=0')
    expect(made.texts).to.equal(5001)
  })
})
