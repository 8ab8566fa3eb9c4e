import { expect } from 'chai'
import { startApp } from '../../../support/start-app.js'
import type { TestApp } from '../../../support/test-app.js'

describe('ETag of /api responses', () => {
  let app: TestApp
  before(async () => {
    app = await startApp()
  })
  after(() => app.stop())

  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    app.request('GET', path, { token: app.token, headers })

  for (const path of [
    '/api/tags',
    '/api/upload/files',
    '/api/users',
    '/api/users/count',
    '/api/users-permissions/roles',
    '/api/i18n/locales',
    '/api/content-type-builder/components',
  ])
    it(`is sent for ${path} and answered with 304 in If-None-Match`, async () => {
      const first = await get(path)
      expect(first.status).to.equal(200)
      const tag = first.headers.get('etag') ?? ''
      expect(tag).to.match(/^"[\w-]{27}"$/)
      expect(first.headers.get('cache-control')).to.equal('private, no-cache')
      expect(first.headers.get('vary')).to.include('Authorization, Strapi-Response-Format')

      const again = await get(path, { 'If-None-Match': `"other", W/${tag}` })
      expect([again.status, again.text]).to.deep.equal([304, ''])
      expect(again.headers.get('etag')).to.equal(tag)
      expect((await get(path, { 'If-None-Match': '"other"' })).text).to.equal(first.text)
    })

  it('changes when the response changes', async () => {
    const before = (await get('/api/users')).headers.get('etag')
    const body = { username: 'ann', email: 'ann@example.org', password: 'secret-1', role: 1 }
    const made = await app.request('POST', '/api/users', { token: app.token, body })
    expect(made.headers.get('etag')).to.equal(null)
    expect((await get('/api/users')).headers.get('etag')).to.not.equal(before)
  })

  it('is not sent for errors and admin endpoints', async () => {
    const missing = await get('/api/users/99')
    expect([missing.status, missing.headers.get('etag')]).to.deep.equal([404, null])
    const admins = await app.request('GET', '/admin/users/me', { token: app.adminJwt })
    expect([admins.status, admins.headers.get('etag')]).to.deep.equal([200, null])
  })
})
