import { expect } from 'chai'
import { startApp, type TestApp } from '../../support/start-app.js'

describe('http.cache.public', () => {
  let app: TestApp
  before(async () => {
    app = await startApp({ settings: { 'http.cache.public': 60 } })
    await app.allow('public', ['api::tag.tag.find', 'api::tag.tag.findOne', 'api::tag.tag.create'])
  })
  after(() => app.stop())

  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    app.request('GET', path, { headers })

  it('lets caches keep what is answered without credentials', async () => {
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
    ['another scheme, which counts as nobody', () => 'Basic YTpi'],
    ['an empty header', () => ''],
  ] as const)
    it(`keeps private what is asked for with ${what}`, async () => {
      const headers = { Authorization: authorization() }
      const first = await get('/api/tags', headers)
      expect(first.status).to.equal(200)
      expect(first.headers.get('cache-control')).to.equal('private, no-cache')
      const tag = first.headers.get('etag') ?? ''
      const again = await get('/api/tags', { ...headers, 'If-None-Match': tag })
      expect(again.status).to.equal(304)
      expect(again.headers.get('cache-control')).to.equal('private, no-cache')
    })

  it('says nothing of errors, writes, and what is not below /api', async () => {
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
    for (const { headers } of answers) expect(headers.get('cache-control')).to.equal(null)
  })
})
