import { expect } from 'chai'
import { errorBody, notFound } from '../../support/error-body.js'
import { startApp, type TestApp } from '../../support/start-app.js'

describe('the service as a whole', () => {
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

  it('answers a list to a token that may read it', async () => {
    const answer = await app.request('GET', '/api/articles', { token: app.token })
    expect(answer.body).to.deep.equal({
      data: [],
      meta: { pagination: { page: 1, pageSize: 25, pageCount: 0, total: 0 } },
    })
    expect(answer.headers.get('vary')).to.equal('Authorization, Strapi-Response-Format')
  })

  it('tells credentials that nobody knows from a path that nobody knows', async () => {
    const token = 'nobody'
    expect((await app.request('GET', '/api/articles', { token })).body).to.deep.equal(
      errorBody(401, 'UnauthorizedError', 'Missing or invalid credentials', {}),
    )
    expect((await app.request('GET', '/api/nope', { token })).body).to.deep.equal(notFound)
  })

  it('answers a wrong verb with the verbs of the content-type', async () => {
    const allow = async (path: string) =>
      (await app.request('PATCH', path, { token: app.token, body: {} })).headers.get('allow')
    expect(await allow('/api/articles')).to.equal('HEAD, GET, POST')
    expect(await allow('/api/articles/abc')).to.equal('HEAD, GET, PUT, DELETE')
    expect(await allow('/api/homepage')).to.equal('HEAD, GET, PUT, DELETE')
    expect((await app.request('GET', '/api/homepages')).status).to.equal(404)
    expect((await app.request('GET', '/api/article')).status).to.equal(404)
  })

  it('refuses malformed JSON where the caller may write', async () => {
    const asked = { body: '{bad', headers: { 'Content-Type': 'application/json' } }
    const { token } = app
    const answer = await app.request('POST', '/api/articles', { ...asked, token })
    expect(answer.status).to.equal(400)
    expect(answer.body).to.have.nested.property('error.name', 'SyntaxError')
    expect((await app.request('POST', '/api/articles', asked)).status).to.equal(403)
  })

  it('lets an admin see the content-types, and nobody else', async () => {
    const path = '/content-type-builder/content-types'
    expect((await app.request('GET', path, { token: app.adminJwt })).status).to.equal(200)
    expect((await app.request('GET', path)).status).to.equal(401)
    expect((await app.request('GET', '/api/articles', { token: app.adminJwt })).status).to.equal(
      401,
    )
  })

  it('serves no file that is not in the media library', async () => {
    for (const name of ['none.png', '..%2fpackage.json', '%2e%2e%2f%2e%2e%2fetc%2fpasswd']) {
      expect((await app.request('GET', `/uploads/${name}`)).body).to.deep.equal(notFound)
    }
  })
})
