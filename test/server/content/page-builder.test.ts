import { expect } from 'chai'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

type Type = 'article' | 'author' | 'category' | 'tag' | 'file'

const relations: Readonly<Record<Type, Readonly<Record<string, Type>>>> = {
  article: {
    ...({ cover: 'file', gallery: 'file', author: 'author', category: 'category' } as const),
    ...({ tags: 'tag', related: 'article' } as const),
  },
  author: { avatar: 'file', articles: 'article', favorite: 'tag' },
  category: { articles: 'article', parent: 'category', children: 'category' },
  tag: { articles: 'article' },
  file: {},
}

/**
 * Returns parameters that populate every relation down to a depth, such as `populate[related][populate][author]=true`.
 */
function everyRelation(type: Type, depth: number, prefix = 'populate'): readonly string[] {
  return Object.entries(relations[type]).flatMap(([name, target]) => {
    const key = `${prefix}[${name}]`
    const below = depth === 1 ? [] : everyRelation(target, depth - 1, `${key}[populate]`)
    return below.length === 0 ? [`${key}=true`] : below
  })
}

describe('page builder query', () => {
  let app: TestApp
  before(async () => {
    app = await startApp()
  })
  after(() => app.stop())

  const get = (parts: readonly string[]) =>
    app.request('GET', `/api/articles?${parts.map(encodeURI).join('&')}`, { token: app.token })

  it('succeeds with more than a hundred populated relations in 13 KB', async () => {
    const data = { title: 'Built' }
    await app.request('POST', '/api/articles', { token: app.token, body: { data } })
    const parts = [
      ...everyRelation('article', 5),
      'populate[sections][on][section.hero][populate]=*',
      'populate[sections][on][section.quote][populate][by][populate]=*',
      'populate[sections][on][section.related][populate][articles][populate][cover]=true',
      'populate[seo][populate][social][populate][profile]=true',
    ]
    expect(parts.length).to.be.above(100)
    expect(parts.join('&').length).to.be.above(13_700)
    const { status, body, text } = await get(parts)
    expect(status, text).to.equal(200)
    expect((body as { data: object[] }).data).to.have.lengthOf(1)
  })
})
