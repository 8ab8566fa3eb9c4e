import { expect } from 'chai'
import { fullGrant } from '../../../../engine/schema/grant.js'
import { createRegistry } from '../../../../engine/schema/registry.js'
import { createCountingCache } from '../resolve/counting-cache.js'
import { blog, prepare } from '../execute/prepare.js'

describe('What was understood before', () => {
  const counting = () => {
    const { cache, made } = createCountingCache()
    return { made, ask: (search: string, options = {}) => prepare(search, { cache, ...options }) }
  }

  it('is a text that was sent before', () => {
    const { made, ask } = counting()
    ask('filters[title]=a')
    ask('filters[title]=a')
    expect(made).to.deep.equal({ texts: 1, shapes: 1, plans: 1 })
  })

  it('is the shape of one that was sent before, with other values', () => {
    const { made, ask } = counting()
    ask('filters[title]=a&pagination[page]=1')
    ask('filters[title]=b&pagination[page]=2')
    ask('filters[title]=c')
    expect(made).to.deep.equal({ texts: 3, shapes: 1, plans: 1 })
    ask('filters[title]=c&sort=title')
    expect(made).to.deep.equal({ texts: 4, shapes: 2, plans: 2 })
  })

  it('is planned once in each locale', () => {
    const { made, ask } = counting()
    for (const locale of ['en', 'fr', 'xx', 'yy', 'en', '*']) ask(`populate=tags&locale=${locale}`)
    ask('populate=tags')
    // Locales that are not configured are alike.
    expect(made).to.deep.equal({ texts: 6, shapes: 1, plans: 4 })
  })

  it('is forgotten when the schema changes', () => {
    const { made, ask } = counting()
    ask('filters[title]=a')
    const registry = createRegistry(blog.contentTypes.values(), blog.components.values(), 2)
    ask('filters[title]=a', { registry })
    expect(made).to.deep.equal({ texts: 2, shapes: 2, plans: 2 })
  })

  it('is not what was refused', () => {
    const { made, ask } = counting()
    expect(() => ask('filters[views][$gt]=x')).to.throw('Expected a number')
    expect(() => ask('filters[views][$gt]=x')).to.throw('Expected a number')
    expect(made).to.deep.equal({ texts: 2, shapes: 2, plans: 0 })
    ask('filters[views][$gt]=1')
    expect(() => ask('filters[views][$gt]=x')).to.throw('Expected a number')
    expect(made).to.deep.equal({ texts: 4, shapes: 3, plans: 1 })
  })

  it('is nothing of another grant', () => {
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

  it('never says that a status is one that it is not', () => {
    const { ask } = counting()
    ask('_q=a&status=published')
    expect(() => ask('status=published%20_q')).to.throw("Invalid parameter at 'status'")
  })

  it('is nothing of another purpose, and in one locale where that is asked for', () => {
    const { made, ask } = counting()
    const answer = { purpose: 'answer' }
    ask('filters[title]=a')
    ask('filters[title]=a', answer)
    expect(made.shapes).to.equal(2)
    ask('locale=en', answer)
    expect(() => ask('locale[]=en&locale[]=fr', answer)).to.throw('A write is in one locale')
  })

  it('takes a bounded number of queries', () => {
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
