import { expect } from 'chai'
import { errorBody, notFound } from '../../support/error-body.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

describe('service', () => {
  let app: TestApp
  before(async () => (app = await startApp()))
  after(() => app.stop())

  it('is ready once it listens', async () => {
    expect((await app.request('GET', '/_ready')).status).to.equal(200)
  })

  it('keeps content private by default', async () => {
    const answer = await app.request('GET', '/api/articles')
    expect(answer.status).to.equal(403)
    expect(answer.body).to.deep.equal(errorBody(403, 'ForbiddenError', 'Forbidden', {}))
    await app.allow('public', ['api::article.article.find'])
    expect((await app.request('GET', '/api/articles')).status).to.equal(200)
  })

  it('returns a list to a token that may read it', async () => {
    const answer = await app.request('GET', '/api/articles', { token: app.token })
    expect(answer.body).to.deep.equal({
      data: [],
      meta: { pagination: { page: 1, pageSize: 25, pageCount: 0, total: 0 } },
    })
    expect(answer.headers.get('vary')).to.equal('Authorization, Strapi-Response-Format')
  })

  it('returns 401 for unknown credentials, but 404 for an unknown path', async () => {
    const token = 'nobody'
    expect((await app.request('GET', '/api/articles', { token })).body).to.deep.equal(
      errorBody(401, 'UnauthorizedError', 'Missing or invalid credentials', {}),
    )
    expect((await app.request('GET', '/api/nope', { token })).body).to.deep.equal(notFound)
  })

  it('returns the allowed methods of a content-type for a wrong method', async () => {
    const allow = async (path: string) =>
      (await app.request('PATCH', path, { token: app.token, body: {} })).headers.get('allow')
    expect(await allow('/api/articles')).to.equal('HEAD, GET, POST')
    expect(await allow('/api/articles/abc')).to.equal('HEAD, GET, PUT, DELETE')
    expect(await allow('/api/homepage')).to.equal('HEAD, GET, PUT, DELETE')
    expect((await app.request('GET', '/api/homepages')).status).to.equal(404)
    expect((await app.request('GET', '/api/article')).status).to.equal(404)
  })

  it('refuses malformed JSON from a caller who may write', async () => {
    const malformed = { body: '{bad', headers: { 'Content-Type': 'application/json' } }
    const { token } = app
    const answer = await app.request('POST', '/api/articles', { ...malformed, token })
    expect(answer.status).to.equal(400)
    expect(answer.body).to.have.nested.property('error.name', 'SyntaxError')
    expect((await app.request('POST', '/api/articles', malformed)).status).to.equal(403)
  })

  it('lists content-types only to admins, whose JWT is refused by the content API', async () => {
    const path = '/content-type-builder/content-types'
    expect((await app.request('GET', path, { token: app.adminJwt })).status).to.equal(200)
    expect((await app.request('GET', path)).status).to.equal(401)
    expect((await app.request('GET', '/api/articles', { token: app.adminJwt })).status).to.equal(
      401,
    )
  })

  it('serves only files from the media library', async () => {
    for (const name of ['none.png', '..%2fpackage.json', '%2e%2e%2f%2e%2e%2fetc%2fpasswd']) {
      expect((await app.request('GET', `/uploads/${name}`)).body).to.deep.equal(notFound)
    }
  })
})
