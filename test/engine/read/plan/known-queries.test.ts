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
    expect(made.texts).to.equal(1)
  })

  it('shares the populate tree of queries for other entries', () => {
    const { made, ask } = counting()
    const nodeOf = (search: string) => ask(search).plan().node
    const node = nodeOf('filters[title]=a&populate[0]=author&populate[1]=tags')
    expect(nodeOf('filters[title]=b&populate[0]=author&populate[1]=tags')).to.equal(node)
    expect(made).to.deep.equal({ texts: 2, trees: 1 })
    const others = ['author', 'author,tags&fields=title', '*']
    for (const other of others) expect(nodeOf(`populate=${other}`)).to.not.equal(node)
    const on = (of: string) => nodeOf(`populate[sections][on][shared.${of}]=true`)
    expect(on('link')).to.not.deep.equal(on('quote'))
    expect(made).to.deep.equal({ texts: 7, trees: 6 })
  })

  it('counts the filters of a populate tree in each query', () => {
    const { made, ask } = counting()
    const list = (of: (at: number) => string) =>
      Array.from({ length: 30 }, (_, at) => of(at)).join('&')
    const inside = list((at) => `populate[author][filters][$or][${at}][articles][title]=a`)
    ask(inside)
    const both = `${inside}&${list((at) => `filters[$or][${at}][author][name]=a`)}`
    expect(() => ask(both)).to.throw('exceeds the limit of 50')
    expect(made.trees).to.equal(0)
  })

  it('starts empty when the schema changes', () => {
    const { made, ask } = counting()
    ask('filters[title]=a')
    const registry = createRegistry(blog.contentTypes.values(), blog.components.values(), 2)
    ask('filters[title]=a', { registry })
    expect(made.texts).to.equal(2)
  })

  it('does not cache a rejected query', () => {
    const { made, ask } = counting()
    expect(() => ask('filters[views][$gt]=x')).to.throw('Expected a number')
    expect(() => ask('filters[views][$gt]=x')).to.throw('Expected a number')
    expect(made.texts).to.equal(2)
    ask('filters[views][$gt]=1')
    expect(() => ask('filters[views][$gt]=x')).to.throw('Expected a number')
    expect(made.texts).to.equal(4)
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
    expect(made.texts).to.equal(4)
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
    expect(made.texts).to.equal(2)
    ask('locale=en', answer)
    expect(() => ask('locale[]=en&locale[]=fr', answer)).to.throw('A write is in one locale')
  })

  it('evicts the oldest query strings beyond its limit', () => {
    const { made, ask } = counting()
    const texts = Array.from({ length: 5000 }, (_, n) => `filters[title]=${n}`)
    for (const text of texts) ask(text)
    expect(made.texts).to.equal(5000)
    ask('filters[title]=4999')
    expect(made.texts).to.equal(5000)
    ask('filters[title]=0')
    expect(made.texts).to.equal(5001)
  })
})
