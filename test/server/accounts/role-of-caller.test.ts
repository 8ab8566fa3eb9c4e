import { expect } from 'chai'
import { errorBody } from '../../support/error-body.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

const forbidden = errorBody(403, 'ForbiddenError', 'Forbidden', {})
const unauthorized = errorBody(401, 'UnauthorizedError', 'Missing or invalid credentials', {})

describe('access to content by caller', () => {
  let app: TestApp
  before(async () => {
    app = await startApp()
  })
  after(() => app.stop())

  const register = async (username: string): Promise<string> => {
    const body = { username, email: `${username}@example.org`, password: 'Passw0rd!' }
    const answer = await app.request('POST', '/api/auth/local/register', { body })
    return (answer.body as { jwt: string }).jwt
  }

  it('returns 403 to everyone until a permission is granted', async () => {
    const token = await register('private')
    for (const path of ['/api/articles', '/api/authors', '/api/homepage', '/api/upload/files']) {
      const open = await app.request('GET', path)
      expect([open.status, open.body], path).to.deep.equal([403, forbidden])
      const user = await app.request('GET', path, { token })
      expect([user.status, user.body], path).to.deep.equal([403, forbidden])
    }
  })

  it('allows the public role what it was granted, and users only what their own role was granted', async () => {
    const token = await register('roles')
    await app.allow('public', ['api::tag.tag.find'])
    expect((await app.request('GET', '/api/tags')).status).to.equal(200)
    expect((await app.request('GET', '/api/tags/x')).status).to.equal(403)
    expect((await app.request('POST', '/api/tags', { body: { data: {} } })).status).to.equal(403)
    expect((await app.request('GET', '/api/tags', { token })).status).to.equal(403)
    await app.allow('authenticated', ['api::tag.tag.find'])
    expect((await app.request('GET', '/api/tags', { token })).status).to.equal(200)
  })

  it('requires `findDrafts` of roles for drafts, but only `find` of tokens', async () => {
    await app.allow('public', ['api::article.article.find'])
    expect((await app.request('GET', '/api/articles')).status).to.equal(200)
    expect((await app.request('GET', '/api/articles?status=draft')).status).to.equal(403)
    const { token } = app
    expect((await app.request('GET', '/api/articles?status=draft', { token })).status).to.equal(200)
    await app.allow('public', ['api::article.article.findDrafts'])
    expect((await app.request('GET', '/api/articles?status=draft')).status).to.equal(200)
  })

  for (const [what, header] of [
    ['another scheme', 'Basic YTpi'],
    ['nothing after the scheme', 'Bearer '],
    ['no scheme', 'secret'],
  ] as const) {
    it(`treats an Authorization header with ${what} as no credentials`, async () => {
      const headers = { Authorization: header }
      const details = { suggestion: 'Authorization: Bearer <token>' }
      expect((await app.request('GET', '/api/authors', { headers })).body).to.deep.equal(
        errorBody(403, 'ForbiddenError', 'Forbidden', details),
      )
    })
  }

  for (const [what, token] of [
    ['an unknown word', 'nope'],
    ['a forged JWT', 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpZCI6MX0.c2lnbmF0dXJl'],
    ['a very long text', 'x'.repeat(20_000)],
  ] as const) {
    it(`returns 401 for ${what} as token, even if the public role has access`, async () => {
      const answer = await app.request('GET', '/api/articles', { token })
      expect([answer.status, answer.body]).to.deep.equal([401, unauthorized])
    })
  }

  it('rejects the JWT of an admin for content, and other tokens for management, with a suggestion', async () => {
    const token = await register('crossing')
    const content = await app.request('GET', '/api/articles', { token: app.adminJwt })
    const suggestion =
      'This is the token of an admin, which is valid outside the content API, for example for /admin and /users-permissions. For the content API, send an API token or the token of a user'
    const { name, message } = unauthorized.error
    const expected = errorBody(401, name, message, { suggestion })
    expect([content.status, content.body]).to.deep.equal([401, expected])
    const forAdmins = errorBody(401, name, message, {
      suggestion:
        'API tokens and the tokens of users are valid for the content API. For this path, send the token of an admin (POST /admin/login)',
    })
    for (const path of ['/admin/users', '/users-permissions/permissions', '/upload/folders']) {
      const asAdmin = await app.request('GET', path, { token: app.adminJwt })
      expect(asAdmin.status, path).to.equal(200)
      for (const [credential, body] of [
        [token, forAdmins],
        [app.token, forAdmins],
        ['nope', unauthorized],
        [undefined, unauthorized],
      ] as const) {
        const options = credential === undefined ? {} : { token: credential }
        const answer = await app.request('GET', path, options)
        expect([answer.status, answer.body], path).to.deep.equal([401, body])
      }
    }
  })

  it('allows API tokens what their type permits', async () => {
    const make = async (type: string, permissions: readonly string[] | null) => {
      const body = { name: `of kind ${type}`, description: '', type, lifespan: null, permissions }
      const { status, body: made } = await app.request('POST', '/admin/api-tokens', {
        body,
        token: app.adminJwt,
      })
      expect(status).to.equal(201)
      return (made as { data: { accessKey: string } }).data.accessKey
    }
    const readOnly = await make('read-only', null)
    const custom = await make('custom', ['api::author.author.create'])
    const status = async (method: string, path: string, token: string) =>
      (await app.request(method, path, { token, body: method === 'POST' ? {} : undefined })).status
    expect(await status('GET', '/api/authors', readOnly)).to.equal(200)
    expect(await status('GET', '/api/users-permissions/roles', readOnly)).to.equal(200)
    expect(await status('POST', '/api/authors', readOnly)).to.equal(403)
    const lacks = await app.request('POST', '/api/authors', { token: readOnly, body: {} })
    const action = 'api::author.author.create'
    expect(lacks.body).to.deep.equal(errorBody(403, 'ForbiddenError', 'Forbidden', { action }))
    expect(await status('GET', '/api/users/count', readOnly)).to.equal(403)
    expect(await status('GET', '/api/i18n/locales', readOnly)).to.equal(403)
    expect(await status('GET', '/api/content-type-builder/content-types', readOnly)).to.equal(403)
    expect(await status('GET', '/api/content-type-builder/content-types', app.token)).to.equal(200)
    expect(await status('GET', '/api/authors', custom)).to.equal(403)
    expect(await status('POST', '/api/authors', custom)).to.equal(400)
  })

  it('returns 401 to callers without credentials if the public role has no permissions', async () => {
    const { body } = await app.request('GET', '/users-permissions/roles', { token: app.adminJwt })
    const role = (body as { roles: { id: number; type: string }[] }).roles.find(
      ({ type }) => type === 'public',
    )
    const path = `/users-permissions/roles/${role?.id}`
    const put = await app.request('PUT', path, { token: app.adminJwt, body: { permissions: {} } })
    expect(put.body).to.deep.equal({ ok: true })
    const answer = await app.request('GET', '/api/articles')
    expect([answer.status, answer.body]).to.deep.equal([401, unauthorized])
    expect((await app.request('GET', '/api/nope')).status).to.equal(404)
  })
})
