import { expect } from 'chai'
import { errorBody } from '../../support/error-body.js'
import type { Magazine } from './magazine.js'
import { column, startMagazine } from './magazine.js'

/**
 * At first, Rain (in English and French), Snow and Wind are published, and Fog is a draft. Then Wind's draft is
 * changed, Snow's draft is changed and discarded, and Fog gets a published French version.
 */
describe('publicationFilter', () => {
  let magazine: Magazine
  before(async () => {
    magazine = await startMagazine()
    const { app, ids } = magazine
    const send = async (method: string, path: string, data?: object) => {
      const body = data === undefined ? {} : { body: { data } }
      const answer = await app.request(method, path, { token: app.token, ...body })
      expect(answer.status, path).to.equal(200)
    }
    const article = (name: string) => `/api/articles/${ids[name]}`
    await send('PUT', `${article('wind')}?status=draft`, { title: 'Wind (changed)' })
    await send('PUT', `${article('snow')}?status=draft`, { title: 'Snow (changed)' })
    await send('POST', `${article('snow')}/actions/discard-draft`)
    await send('PUT', `${article('fog')}?locale=fr`, { title: 'Brume', slug: 'brume' })
  })
  after(() => magazine.app.stop())

  const titles = async (query: string) => {
    const { status, body } = await magazine.get(`/api/articles?sort=title&${query}`)
    expect(status, query).to.equal(200)
    return column(body, 'title')
  }

  const drafts: readonly (readonly [filter: string, titles: readonly string[]])[] = [
    ['never-published', ['Fog']],
    ['has-published-version', ['Rain', 'Snow', 'Wind (changed)']],
    ['modified', ['Wind (changed)']],
    ['unmodified', ['Rain', 'Snow']],
    ['never-published-document', []],
    ['has-published-version-document', ['Fog', 'Rain', 'Snow', 'Wind (changed)']],
    ['published-without-draft', []],
    ['published-with-draft', []],
  ]
  for (const [filter, expected] of drafts) {
    it(`filters drafts by ${filter}`, async () => {
      expect(await titles(`status=draft&publicationFilter=${filter}`)).to.deep.equal(expected)
    })
  }

  const published: readonly (readonly [filter: string, titles: readonly string[]])[] = [
    ['never-published', []],
    ['has-published-version', ['Rain', 'Snow', 'Wind']],
    ['modified', ['Wind']],
    ['unmodified', ['Rain', 'Snow']],
    ['never-published-document', []],
    ['has-published-version-document', ['Rain', 'Snow', 'Wind']],
    ['published-without-draft', []],
    ['published-with-draft', ['Rain', 'Snow', 'Wind']],
  ]
  for (const [filter, expected] of published) {
    it(`filters published versions by ${filter}`, async () => {
      expect(await titles(`publicationFilter=${filter}`)).to.deep.equal(expected)
    })
  }

  it('compares each entry within its own locale', async () => {
    expect(await titles('status=draft&locale=*&publicationFilter=unmodified')).to.deep.equal([
      ...['Brume', 'Pluie', 'Rain', 'Snow'],
    ])
    expect(await titles('status=draft&locale=*&publicationFilter=never-published')).to.deep.equal([
      'Fog',
    ])
  })

  it('combines with other filters, and overrides hasPublishedVersion', async () => {
    const query = 'status=draft&publicationFilter=unmodified&filters[title][$contains]=S'
    const { body } = await magazine.get(`/api/articles?${query}&fields=title`)
    expect((body as { meta: { pagination: object } }).meta.pagination).to.include({ total: 1 })
    expect(column(body, 'title')).to.deep.equal(['Snow'])
    expect(
      await titles('status=draft&hasPublishedVersion=true&publicationFilter=never-published'),
    ).to.deep.equal(['Fog'])
  })

  it('applies to reading one document', async () => {
    const { get, ids } = magazine
    const of = (name: string) => `/api/articles/${ids[name]}?publicationFilter=modified`
    expect(await get(of('wind'))).to.include({ status: 200 })
    expect(await get(of('rain'))).to.include({ status: 404 })
  })

  it('applies to populated entries, but not to types without drafts', async () => {
    const { body } = await magazine.get(
      '/api/authors?sort=name&status=draft&publicationFilter=modified&populate[articles][fields]=title',
    )
    const [ana, ben] = (body as { data: { articles: { title: string }[] }[] }).data
    expect(ana?.articles).to.deep.equal([])
    expect(ben?.articles.map(({ title }) => title)).to.deep.equal(['Wind (changed)'])
  })

  it('does not affect the response of a write', async () => {
    const { app, ids } = magazine
    const path = `/api/articles/${ids['rain']}?publicationFilter=modified&fields=title&populate=related`
    const { status, body } = await app.request('PUT', path, {
      token: app.token,
      body: { data: { related: [ids['snow']] } },
    })
    expect(status).to.equal(200)
    const { data } = body as { data: { title: string; related: { title: string }[] } }
    expect(data.related.map(({ title }) => title)).to.deep.equal(['Snow'])
  })

  it('requires the draft permission if it reveals drafts', async () => {
    const { app } = magazine
    await app.allow('public', ['api::article.article.find', 'api::author.author.find'])
    const asPublic = (path: string) => app.request('GET', path)
    const listed = await asPublic('/api/articles?publicationFilter=has-published-version')
    expect(listed.status).to.equal(200)
    for (const filter of [
      ...['modified', 'unmodified', 'published-with-draft', 'published-without-draft'],
    ]) {
      const refused = await asPublic(`/api/articles?publicationFilter=${filter}`)
      expect(refused.body).to.deep.equal(errorBody(403, 'ForbiddenError', 'Forbidden', {}))
    }
  })

  it('finds every published version with has-published-version', async () => {
    const { app, ids } = magazine
    // Imitates a crash, after which a published version can be without a draft until the repair.
    const drafts = app.quire.services.db.collection('articles.draft')
    await drafts.deleteMany({ documentId: ids['rain'] ?? '' })
    const total = async (query: string) => {
      const { body } = await magazine.get(`/api/articles?${query}`)
      return (body as { meta: { pagination: { total: number } } }).meta.pagination.total
    }
    const all = await total('')
    expect(all).to.be.above(0)
    for (const word of ['has-published-version', 'has-published-version-document'])
      expect(await total(`publicationFilter=${word}`), word).to.equal(all)
  })

  it('rejects unknown values', async () => {
    const expected =
      'one of: never-published, has-published-version, modified, unmodified, never-published-document, has-published-version-document, published-without-draft, published-with-draft'
    for (const [value, received] of [
      ['=changed', 'changed'],
      ['=', ''],
      ['', 'null'],
      ['[0]=modified', 'array'],
    ] as const) {
      const { status, body } = await magazine.get(`/api/articles?publicationFilter${value}`)
      expect({ status, body }, value).to.deep.equal({
        status: 400,
        body: errorBody(
          400,
          'ValidationError',
          `Invalid value for 'publicationFilter'. Expected ${expected}.`,
          { path: null, source: 'query', param: 'publicationFilter', expected, received },
        ),
      })
    }
  })
})
