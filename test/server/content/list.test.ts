import { expect } from 'chai'
import type { Magazine } from './magazine.js'
import { column, stable, startMagazine } from './magazine.js'

describe('list request', () => {
  let magazine: Magazine
  before(async () => (magazine = await startMagazine()))
  after(() => magazine.app.stop())
  const get = (path: string) => magazine.get(path)

  it('returns published documents, flat, with every scalar attribute and no relations', async () => {
    const { status, body } = await get('/api/articles?filters[slug]=rain')
    expect(status).to.equal(200)
    expect(stable(body, magazine.ids)).to.deep.equal({
      data: [
        {
          id: '#',
          documentId: '@rain',
          title: 'Rain',
          slug: 'rain',
          summary: null,
          body: null,
          blocks: [{ type: 'paragraph', children: [{ type: 'text', text: 'It rains.' }] }],
          kind: 'news',
          rating: 4.5,
          score: null,
          views: 10,
          bigViews: '9007199254740993',
          featured: false,
          meta: { wet: true },
          releaseDate: null,
          releaseTime: null,
          releaseAt: '2024-01-15T10:30:00.000Z',
          contact: null,
          createdAt: '@time',
          updatedAt: '@time',
          publishedAt: '@time',
          locale: 'en',
        },
      ],
      meta: { pagination: { page: 1, pageSize: 25, pageCount: 1, total: 1 } },
    })
  })

  it('returns id and documentId first, then the attributes in schema order', async () => {
    const { body } = await get('/api/articles?fields=views,title,createdAt&filters[slug]=rain')
    const [entry] = (body as { data: object[] }).data
    expect(Object.keys(entry ?? {})).to.deep.equal([
      'id',
      'documentId',
      'title',
      'views',
      'createdAt',
    ])
  })

  it('sorts by id unless a sort is given', async () => {
    expect(column((await get('/api/articles')).body, 'title')).to.deep.equal([
      'Rain',
      'Snow',
      'Wind',
    ])
    const sorted = await get('/api/articles?sort=views:desc')
    expect(column(sorted.body, 'title')).to.deep.equal(['Wind', 'Snow', 'Rain'])
  })

  it('sorts by attributes of relations and components, null first', async () => {
    const byAuthor = await get('/api/articles?sort[0]=author.name:desc&sort[1]=title')
    expect(column(byAuthor.body, 'title')).to.deep.equal(['Wind', 'Rain', 'Snow'])
    const bySeo = await get('/api/articles?sort=seo.metaTitle,title')
    expect(column(bySeo.body, 'title')).to.deep.equal(['Snow', 'Wind', 'Rain'])
    const byParent = await get('/api/articles?sort=category.parent.name:desc,title')
    expect(column(byParent.body, 'title')).to.deep.equal(['Rain', 'Snow', 'Wind'])
  })

  it('returns one page and the number of pages', async () => {
    const { body } = await get(
      '/api/articles?pagination[page]=2&pagination[pageSize]=2&fields=title',
    )
    expect(column(body, 'title')).to.deep.equal(['Wind'])
    expect(body).to.have.deep.nested.property('meta.pagination', {
      page: 2,
      pageSize: 2,
      pageCount: 2,
      total: 3,
    })
  })

  it('returns an offset range and the total', async () => {
    const { body } = await get('/api/articles?pagination[start]=1&pagination[limit]=1&fields=title')
    expect(column(body, 'title')).to.deep.equal(['Snow'])
    expect(body).to.have.deep.nested.property('meta.pagination', { start: 1, limit: 1, total: 3 })
  })

  it('omits the total with withCount=false', async () => {
    const { body } = await get('/api/articles?pagination[withCount]=false')
    expect(body).to.have.deep.nested.property('meta.pagination', { page: 1, pageSize: 25 })
  })

  it('limits the page size and rejects invalid pagination parameters', async () => {
    const { body } = await get('/api/articles?pagination[pageSize]=5000')
    expect(body).to.have.nested.property('meta.pagination.pageSize', 100)
    for (const page of ['abc', '1.5', '1e400']) {
      expect(await get(`/api/articles?pagination[page]=${page}`)).to.include({ status: 400 })
    }
    expect(
      (await get('/api/articles?pagination[page]=1&pagination[start]=1')).body,
    ).to.have.nested.property('error.name', 'PaginationError')
  })

  it('searches texts literally and case-insensitively', async () => {
    expect(column((await get('/api/articles?_q=RAI')).body, 'title')).to.deep.equal(['Rain'])
    expect(column((await get('/api/articles?_q=R.in')).body, 'title')).to.deep.equal([])
  })

  it('rejects an unknown name and suggests a known one', async () => {
    expect((await get('/api/articles?sort=titel')).body).to.deep.equal({
      data: null,
      error: {
        status: 400,
        name: 'ValidationError',
        message: 'Invalid key titel',
        details: {
          key: 'titel',
          path: null,
          source: 'query',
          param: 'sort',
          suggestion: 'title',
        },
      },
    })
    expect((await get('/api/articles?fields=nope')).body).to.have.deep.nested.property(
      'error.details',
      { key: 'nope', path: null, source: 'query', param: 'fields' },
    )
  })

  it('rejects queries for passwords and private attributes', async () => {
    for (const query of [
      'fields=*,nope',
      'fields=*,secret',
      'fields[0]=nope&fields[1]=*',
      'fields=secret',
      'sort=internalNote',
      'filters[secret]=x',
      '_q=x&populate=secret',
    ]) {
      expect(await get(`/api/articles?${query}`), query).to.include({ status: 400 })
    }
  })

  it('returns 304 for a matching ETag', async () => {
    const { app } = magazine
    const first = await app.request('GET', '/api/articles', { token: app.token })
    const tag = first.headers.get('etag') ?? ''
    const headers = { 'If-None-Match': tag }
    const second = await app.request('GET', '/api/articles', { token: app.token, headers })
    expect([second.status, second.text]).to.deep.equal([304, ''])
    expect(second.headers.get('cache-control')).to.equal('private, no-cache')
  })
})

describe('document request', () => {
  let magazine: Magazine
  before(async () => (magazine = await startMagazine()))
  after(() => magazine.app.stop())

  it('finds a document by documentId, not by record id', async () => {
    const { ids, get } = magazine
    const { body } = await get(`/api/articles/${ids['snow']}?fields=title`)
    expect(stable(body, ids)).to.deep.equal({
      data: { id: '#', documentId: '@snow', title: 'Snow' },
      meta: {},
    })
    const { id } = (body as { data: { id: number } }).data
    expect(await get(`/api/articles/${id}`)).to.include({ status: 404 })
  })

  it('returns the requested status and locale, or 404 if there is none', async () => {
    const { ids, get } = magazine
    const title = async (query: string, name = 'rain') => {
      const { status, body } = await get(`/api/articles/${ids[name]}?fields=title${query}`)
      return status === 200 ? (body as { data: { title: string } }).data.title : status
    }
    expect(await title('')).to.equal('Rain')
    expect(await title('&locale=fr')).to.equal('Pluie')
    expect(await title('&locale=de')).to.equal(404)
    expect(await title('', 'fog')).to.equal(404)
    expect(await title('&status=draft', 'fog')).to.equal('Fog')
    expect(await title('&status=nope')).to.equal(400)
  })

  it('returns the v4 format if the request asks for it', async () => {
    const { app, ids } = magazine
    const { body } = await app.request(
      'GET',
      `/api/articles/${ids['snow']}?fields=title&populate[author][fields]=name&populate[tags][fields]=name`,
      { token: app.token, headers: { 'Strapi-Response-Format': 'v4' } },
    )
    expect(stable(body, ids)).to.deep.equal({
      data: {
        id: '#',
        documentId: '@snow',
        attributes: {
          title: 'Snow',
          author: { data: { id: '#', documentId: '@ana', attributes: { name: 'Ana' } } },
          tags: { data: [{ id: '#', documentId: '@cold', attributes: { name: 'cold' } }] },
        },
      },
      meta: {},
    })
  })
})
