import { expect } from 'chai'
import type { Magazine } from './magazine.js'
import { stable, startMagazine } from './magazine.js'
import { testDatabaseUri } from '../../support/database.js'
import { startApp } from '../../support/start-app.js'

describe('populate', () => {
  let magazine: Magazine
  let databaseUri: string
  before(async () => {
    databaseUri = await testDatabaseUri()
    magazine = await startMagazine({ databaseUri })
  })
  after(async () => {
    await magazine.app.quire.services.db.dropDatabase()
    await magazine.app.stop()
  })

  const populated = async (query: string, path = `/api/articles/${magazine.ids['rain']}`) => {
    const { status, body } = await magazine.get(`${path}?fields=title&${query}`)
    expect(status, JSON.stringify(body)).to.equal(200)
    const data = (stable(body, magazine.ids) as { data: Record<string, unknown> }).data
    delete data['id']
    delete data['documentId']
    delete data['title']
    return data
  }

  const times = { createdAt: '@time', updatedAt: '@time', publishedAt: '@time' }
  const ana = {
    id: '#',
    documentId: '@ana',
    name: 'Ana',
    email: 'ana@example.org',
    bio: null,
    ...times,
  }
  const wet = { id: '#', documentId: '@wet', name: 'wet', color: null, ...times }
  const cold = { id: '#', documentId: '@cold', name: 'cold', color: null, ...times }
  const nature = {
    id: '#',
    documentId: '@nature',
    name: 'Nature',
    slug: 'nature',
    rank: null,
    ...times,
  }

  it('accepts every notation of a relation', async () => {
    for (const query of [
      'populate=author',
      'populate[0]=author',
      'populate[author]=true',
      'populate[author][populate]=',
    ]) {
      expect(await populated(query), query).to.deep.equal({ author: ana })
    }
  })

  it('shows relations in schema order, and lists in the order they were connected', async () => {
    const data = await populated('populate=tags,author')
    expect(Object.keys(data)).to.deep.equal(['author', 'tags'])
    expect(data['tags']).to.deep.equal([wet, cold])
  })

  it('shows several levels, dotted or nested', async () => {
    const weather = {
      id: '#',
      documentId: '@weather',
      name: 'Weather',
      slug: 'weather',
      rank: null,
      ...times,
    }
    const expected = { category: { ...weather, parent: nature } }
    expect(await populated('populate=category.parent')).to.deep.equal(expected)
    expect(await populated('populate[category][populate][0]=parent')).to.deep.equal(expected)
    expect(await populated('populate[category][populate][parent]=true')).to.deep.equal(expected)
  })

  it('shows the inverse side in the order it was connected', async () => {
    const { body } = await magazine.get(
      `/api/authors/${magazine.ids['ana']}?fields=name&populate[articles][fields]=title`,
    )
    expect(stable(body, magazine.ids)).to.deep.nested.include({
      'data.articles': [
        { id: '#', documentId: '@rain', title: 'Rain' },
        { id: '#', documentId: '@snow', title: 'Snow' },
      ],
    })
  })

  it('shows drafts to drafts, and published documents to published ones', async () => {
    const titles = async (status: string) => {
      const path = `/api/authors/${magazine.ids['ana']}?status=${status}`
      const { body } = await magazine.get(`${path}&populate[articles][fields]=title`)
      const { articles } = (body as { data: { articles: { title: string }[] } }).data
      return articles.map(({ title }) => title)
    }
    expect(await titles('published')).to.deep.equal(['Rain', 'Snow'])
    expect(await titles('draft')).to.deep.equal(['Rain', 'Snow', 'Fog'])
  })

  it('shows components with or without what is nested in them', async () => {
    expect(await populated('populate=seo')).to.deep.equal({
      seo: { id: '#', metaTitle: 'All about rain', metaDescription: null },
    })
    const social = (await populated('populate=seo.social.profile'))['seo']
    expect(social).to.deep.equal({
      id: '#',
      metaTitle: 'All about rain',
      metaDescription: null,
      social: [
        { id: '#', network: 'x', url: 'https://x.example/rain', profile: ana },
        { id: '#', network: 'facebook', url: 'https://f.example/rain', profile: null },
      ],
    })
  })

  it('shows all components of a dynamic zone, or only the named ones', async () => {
    const quote = { id: '#', text: 'Into each life' }
    const hero = { id: '#', heading: 'Rain!' }
    expect(await populated('populate=sections')).to.deep.equal({
      sections: [
        { ...quote, __component: 'section.quote' },
        { ...hero, __component: 'section.hero' },
      ],
    })
    const named = 'populate[sections][on][section.hero][populate]=cta'
    expect(await populated(named)).to.deep.equal({
      sections: [
        { ...hero, cta: { id: '#', label: 'Read', href: '/rain' }, __component: 'section.hero' },
      ],
    })
  })

  it('wraps a filtered or sorted list in data, but no other value', async () => {
    const name = 'populate[tags][fields]=name'
    const shown = (tag: string) => ({ id: '#', documentId: `@${tag}`, name: tag })
    expect(await populated(`${name}&populate[tags][sort]=name`)).to.deep.equal({
      tags: { data: [shown('cold'), shown('wet')] },
    })
    expect(await populated(`${name}&populate[tags][filters][name]=wet`)).to.deep.equal({
      tags: { data: [shown('wet')] },
    })
    expect(await populated('populate[author][filters][name]=Nobody')).to.deep.equal({
      author: null,
    })
  })

  it('counts a relation instead of showing it', async () => {
    expect(await populated('populate[tags][count]=true')).to.deep.equal({ tags: { count: 2 } })
  })

  it('shows all relations one level deep for *', async () => {
    const data = await populated('populate=*')
    expect(Object.keys(data)).to.deep.equal([
      ...['cover', 'gallery', 'author', 'category', 'tags', 'related', 'seo', 'sections'],
      'localizations',
    ])
    expect(data['cover']).to.equal(null)
    expect(data['gallery']).to.deep.equal([])
    expect(data['localizations']).to.have.nested.property('[0].title', 'Pluie')
  })

  it('leaves out a relation the caller may not find, and rejects filters by it and unknown names', async () => {
    const { app, ids } = magazine
    await app.allow('public', ['api::article.article.findOne'])
    const path = `/api/articles/${ids['rain']}?fields=title&populate=author,seo`
    const { status, body } = await app.request('GET', path)
    expect([status, Object.keys((body as { data: object }).data)]).to.deep.equal([
      200,
      ['id', 'documentId', 'title', 'seo'],
    ])
    expect(
      (await app.request('GET', `/api/articles/${ids['rain']}?populate=nope`)).status,
    ).to.equal(400)
    const filter = `/api/articles/${ids['rain']}?filters[author][name]=Ana`
    expect((await app.request('GET', filter)).body).to.have.nested.property(
      'error.message',
      'Invalid key author',
    )
  })

  it('rejects more levels than api.rest.maxPopulateDepth', async () => {
    const deep = Array.from({ length: 11 }, () => 'parent').join('.')
    const path = `/api/categories/${magazine.ids['weather']}?populate=${deep}`
    expect((await magazine.get(path)).body).to.deep.equal({
      data: null,
      error: {
        status: 400,
        name: 'ValidationError',
        message: 'The depth of populate exceeds the limit of 10 (api.rest.maxPopulateDepth)',
        details: { bound: 'api.rest.maxPopulateDepth', limit: 10 },
      },
    })
  })

  it('names the relation at which api.rest.maxPopulatedEntries is exceeded', async () => {
    const settings = { 'api.rest.maxPopulatedEntries': 3 }
    const bounded = await startApp({ databaseUri, settings })
    // Rain has an author and two tags, Snow an author and one tag.
    const refusedAt = async (query: string): Promise<unknown> => {
      const { body } = await bounded.request('GET', `/api/articles?sort=title&${query}`, {
        token: bounded.token,
      })
      return (body as { error?: { details: { relation: string } } }).error?.details.relation
    }
    try {
      expect(await refusedAt('populate=author')).to.equal(undefined)
      expect(await refusedAt('populate=tags')).to.equal(undefined)
      expect(await refusedAt('populate=author,tags')).to.equal('author')
      // Ana is shown twice, so her articles are counted twice.
      expect(await refusedAt('populate=author.articles')).to.equal('author')
      expect(await refusedAt('populate=author.articles.author')).to.equal('articles')
    } finally {
      await bounded.stop()
    }
  })

  it('counts related entries in the database, even more than api.rest.maxPopulatedEntries', async () => {
    const bounded = await startApp({ databaseUri, settings: { 'api.rest.maxPopulatedEntries': 1 } })
    const counted = async (query: string): Promise<unknown> => {
      const path = `/api/authors?fields=name&sort=name&${query}`
      const { body } = await bounded.request('GET', path, { token: bounded.token })
      const { data } = body as { data: { name: string; articles: unknown }[] }
      return data.map(({ name, articles }) => [name, articles])
    }
    try {
      expect(await counted('populate[articles][count]=true')).to.deep.equal([
        ['Ana', { count: 2 }],
        ['Ben', { count: 1 }],
      ])
      const rain = 'populate[articles][count]=true&populate[articles][filters][title]=Rain'
      expect(await counted(rain)).to.deep.equal([
        ['Ana', { count: 1 }],
        ['Ben', { count: 0 }],
      ])
    } finally {
      await bounded.stop()
    }
  })
})
