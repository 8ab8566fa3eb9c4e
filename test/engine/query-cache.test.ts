import { expect } from 'chai'
import { createQueryCache } from '../../engine/query-cache.js'
import type { QueryPlan } from '../../engine/plan/plan-query.js'
import { fullGrant } from '../../engine/schema/grant.js'
import { createRegistry } from '../../engine/schema/registry.js'
import { blog, prepare } from './prepare.js'

describe('A query that was understood before', () => {
  const made = () => {
    let count = 0
    const make = () => ({ count: (count += 1) }) as unknown as QueryPlan
    return { make, count: () => count }
  }

  it('is not made again, until the registry changes', () => {
    const cache = createQueryCache()
    const { make, count } = made()
    const first = cache.get(blog, 'k', make)
    expect(cache.get(blog, 'k', make)).to.equal(first)
    expect(count()).to.equal(1)
    const next = createRegistry(blog.contentTypes.values(), blog.components.values(), 2)
    cache.get(next, 'k', make)
    expect(count()).to.equal(2)
  })

  it('is made again after it was refused', () => {
    const cache = createQueryCache()
    const refuse = () => {
      throw new Error('no')
    }
    expect(() => cache.get(blog, 'k', refuse)).to.throw('no')
    expect(() => cache.get(blog, 'k', refuse)).to.throw('no')
  })

  it('is never that of another grant', () => {
    const cache = createQueryCache()
    const names = (grant: typeof fullGrant) =>
      prepare('populate=author,tags', { grant, cache })
        .plan()
        .node.members.flatMap((member) => (member.kind === 'edge' ? member.name : []))
    const actions = new Set(['api::article.article.find', 'api::tag.tag.find'])
    expect(names(fullGrant)).to.deep.equal(['author', 'tags'])
    expect(names({ key: 'some', actions })).to.deep.equal(['tags'])
    expect(names(fullGrant)).to.deep.equal(['author', 'tags'])
  })
})
