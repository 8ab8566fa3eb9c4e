import { expect } from 'chai'
import type { Settings } from '../../../server/settings/settings.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

describe('http.cache.public', () => {
  let app: TestApp
  before(async () => {
    app = await startApp({ settings: { 'http.cache.public': 60 } })
    await app.allow('public', ['api::tag.tag.find', 'api::tag.tag.findOne', 'api::tag.tag.create'])
  })
  after(() => app.stop())

  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    app.request('GET', path, { headers })

  it('allows caches to store responses to requests without credentials', async () => {
    const first = await get('/api/tags')
    expect(first.status).to.equal(200)
    expect(first.headers.get('cache-control')).to.equal('public, max-age=60')
    expect(first.headers.get('vary')).to.equal('Authorization, Strapi-Response-Format')
    const tag = first.headers.get('etag') ?? ''
    expect(tag).to.match(/^"[\w-]{27}"$/)

    const again = await get('/api/tags', { 'If-None-Match': tag })
    expect([again.status, again.text]).to.deep.equal([304, ''])
    expect(again.headers.get('cache-control')).to.equal('public, max-age=60')
    expect(again.headers.get('vary')).to.equal('Authorization, Strapi-Response-Format')
    expect(again.headers.get('etag')).to.equal(tag)

    const head = await app.request('HEAD', '/api/tags')
    expect(head.headers.get('cache-control')).to.equal('public, max-age=60')
  })

  for (const [what, authorization] of [
    ['an API token', () => `Bearer ${app.token}`],
    ['another Authorization scheme', () => 'Basic YTpi'],
    ['an empty Authorization header', () => ''],
  ] as const)
    it(`keeps responses to requests with ${what} private`, async () => {
      const headers = { Authorization: authorization() }
      const first = await get('/api/tags', headers)
      expect(first.status).to.equal(200)
      expect(first.headers.get('cache-control')).to.equal('private, no-cache')
      const tag = first.headers.get('etag') ?? ''
      const again = await get('/api/tags', { ...headers, 'If-None-Match': tag })
      expect(again.status).to.equal(304)
      expect(again.headers.get('cache-control')).to.equal('private, no-cache')
    })

  it('sets no-store on errors, and no header on writes and outside /api', async () => {
    const post = await app.request('POST', '/api/tags', { body: { data: { name: 'Wind' } } })
    const answers = [
      await get('/api/tags/none'),
      await get('/api/tags?nothing=1'),
      await get('/api/articles'),
      await get('/api/nope'),
      await get('/_health'),
      post,
    ]
    expect(answers.map(({ status }) => status)).to.deep.equal([404, 400, 403, 404, 204, 201])
    const controls = answers.map(({ headers }) => headers.get('cache-control'))
    // Without `no-store`, some caches store a 404 for minutes.
    expect(controls).to.deep.equal([...Array<string>(4).fill('no-store'), null, null])
  })
})

describe('http.cache.shared', () => {
  const controlOf = async (settings: Partial<Settings>) => {
    const app = await startApp({ settings })
    try {
      await app.allow('public', ['api::tag.tag.find', 'api::tag.tag.findOne'])
      const body = { data: { name: 'Wind' } }
      const created = await app.request('POST', '/api/tags', { token: app.token, body })
      const { documentId } = (created.body as { data: { documentId: string } }).data
      const headersOf = async (path: string) => {
        const { headers } = await app.request('GET', path)
        const names = ['cache-control', 'surrogate-key', 'cache-tag', 'xkey'] as const
        return Object.fromEntries(
          names.flatMap((name) => {
            const value = headers.get(name)?.replaceAll(documentId, 'ID')
            return value === undefined ? [] : [[name, value]]
          }),
        )
      }
      return {
        list: await headersOf('/api/tags'),
        one: await headersOf(`/api/tags/${documentId}`),
      }
    } finally {
      await app.stop()
    }
  }

  it('sets s-maxage and surrogate keys, separately from the lifetime in browsers', async () => {
    const { list, one } = await controlOf({
      'http.cache.public': 10,
      'http.cache.shared': 3600,
      'http.cache.staleWhileRevalidate': 60,
    })
    const control = 'public, max-age=10, s-maxage=3600, stale-while-revalidate=60'
    expect(list).to.deep.equal({
      'cache-control': control,
      'surrogate-key': 'quire api::tag.tag api::tag.tag/list ID',
    })
    expect(one).to.deep.equal({
      'cache-control': control,
      'surrogate-key': 'quire api::tag.tag ID',
    })
  })

  it('uses the header of http.cache.keyHeader for the keys, or none', async () => {
    const tags = await controlOf({ 'http.cache.shared': 60, 'http.cache.keyHeader': 'Cache-Tag' })
    expect(tags.list['cache-tag']).to.equal('quire,api::tag.tag,api::tag.tag/list,ID')
    const xkey = await controlOf({ 'http.cache.shared': 60, 'http.cache.keyHeader': 'xkey' })
    expect(xkey.one['xkey']).to.equal('quire api::tag.tag ID')
    const none = await controlOf({ 'http.cache.shared': 60, 'http.cache.keyHeader': 'none' })
    expect(none.one).to.deep.equal({ 'cache-control': 'public, max-age=0, s-maxage=60' })
  })

  it('limits the cache lifetime to the lifetime of signed links', async () => {
    const { one } = await controlOf({
      ...{ 'upload.private': true, 'upload.linkExpiresInS': 100 },
      ...{ 'http.cache.public': 10, 'http.cache.shared': 80 },
      'http.cache.staleWhileRevalidate': 600,
    })
    expect(one['cache-control']).to.equal(
      'public, max-age=10, s-maxage=80, stale-while-revalidate=20',
    )
  })
})

describe('public cache with api.rest.publicDrafts', () => {
  it('excludes drafts and queries with publicationFilter', async () => {
    const app = await startApp({
      settings: { 'http.cache.shared': 60, 'api.rest.publicDrafts': true },
    })
    try {
      await app.allow('public', ['api::article.article.find'])
      const controlOf = async (path: string) => {
        const { status, headers } = await app.request('GET', path)
        return [status, headers.get('cache-control'), headers.get('surrogate-key')]
      }
      expect(await controlOf('/api/articles')).to.deep.equal([
        ...[
          200,
          'public, max-age=0, s-maxage=60',
          'quire api::article.article api::article.article/list',
        ],
      ])
      const modified = await controlOf('/api/articles?publicationFilter=modified')
      expect(modified).to.deep.equal([200, 'private, no-cache', null])
      expect(await controlOf('/api/articles?status=draft')).to.deep.equal([
        ...[200, 'private, no-cache', null],
      ])
    } finally {
      await app.stop()
    }
  })
})
