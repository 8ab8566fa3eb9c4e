import { expect } from 'chai'
import { startApp, type TestApp } from '../../support/start-app.js'

type Type = 'article' | 'author' | 'category' | 'tag' | 'file'

const edges: Readonly<Record<Type, Readonly<Record<string, Type>>>> = {
  article: {
    ...({ cover: 'file', gallery: 'file', author: 'author', category: 'category' } as const),
    ...({ tags: 'tag', related: 'article' } as const),
  },
  author: { avatar: 'file', articles: 'article', favorite: 'tag' },
  category: { articles: 'article', parent: 'category', children: 'category' },
  tag: { articles: 'article' },
  file: {},
}

/** `populate[related][populate][author]=true`, of every edge down to a depth. */
function everyEdge(type: Type, depth: number, prefix = 'populate'): readonly string[] {
  return Object.entries(edges[type]).flatMap(([name, target]) => {
    const here = `${prefix}[${name}]`
    const below = depth === 1 ? [] : everyEdge(target, depth - 1, `${here}[populate]`)
    return below.length === 0 ? [`${here}=true`] : below
  })
}

describe('the query of a page builder', () => {
  let app: TestApp
  before(async () => {
    app = await startApp()
  })
  after(() => app.stop())

  const get = (parts: readonly string[]) =>
    app.request('GET', `/api/articles?${parts.map(encodeURI).join('&')}`, { token: app.token })

  it('of more than a hundred populated edges and 13 KB is answered', async () => {
    const data = { title: 'Built' }
    await app.request('POST', '/api/articles', { token: app.token, body: { data } })
    const parts = [
      ...everyEdge('article', 5),
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
