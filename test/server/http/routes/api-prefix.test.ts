import { expect } from 'chai'
import { loadConfig } from '../../../../server/settings/config.js'
import { startApp } from '../../../support/start-app.js'
import type { TestApp } from '../../../support/test-app.js'

describe('api.rest.prefix', () => {
  let app: TestApp
  before(async () => {
    app = await startApp({ settings: { 'api.rest.prefix': '/cms/v1' } })
  })
  after(() => app.stop())

  const answer = async (path: string, options: object = {}) => {
    const { status, body } = await app.request('GET', path, { token: app.token, ...options })
    return { status, body: body as { data?: unknown; error?: { details?: unknown } } }
  }

  it('is the path of all API endpoints: content, users, files and locales', async () => {
    const body = { data: { name: 'News' } }
    const made = await app.request('POST', '/cms/v1/tags', { token: app.token, body })
    expect(made.status).to.equal(201)
    const { documentId } = (made.body as { data: { documentId: string } }).data
    for (const path of [
      '/cms/v1/tags?fields=name',
      `/CMS/v1/tags/${documentId}`,
      '/cms/v1/upload/files',
      '/cms/v1/i18n/locales',
      '/cms/v1/users/count',
      '/cms/v1/content-type-builder/content-types',
    ])
      expect(await answer(path), path).to.have.property('status', 200)
    expect((await answer('/cms/v1/tags?fields=nonsense')).status).to.equal(400)
  })

  it('keeps cache headers and ETags working', async () => {
    const { headers } = await app.request('GET', '/cms/v1/tags', { token: app.token })
    expect(headers.get('cache-control')).to.equal('private, no-cache')
    expect(headers.get('vary')).to.include('Authorization')
    const tag = { 'If-None-Match': headers.get('etag') ?? '' }
    const again = await app.request('GET', '/cms/v1/tags', { token: app.token, headers: tag })
    expect(again.status).to.equal(304)
  })

  it('replaces /api, which then returns 404', async () => {
    for (const path of ['/api/tags', '/api', '/api/i18n/locales', '/API/tags?x=1', '/cms/v1x/tags'])
      expect(await answer(path), path).to.have.property('status', 404)
    expect((await answer('/cms/v1/users/me', { token: 'none' })).status).to.equal(401)
  })

  it('does not change paths outside the API', async () => {
    expect((await answer('/_health')).status).to.equal(204)
    expect((await answer('/admin/users/me', { token: app.adminJwt })).status).to.equal(200)
  })

  it('appears in suggested paths', async () => {
    expect((await answer('/cms/v1/tagz')).body.error?.details).to.deep.equal({
      suggestion: '/cms/v1/tags',
    })
  })

  it('must be a path that does not conflict with other paths of the service', () => {
    const prefix = (API_REST_PREFIX: string) =>
      loadConfig({ API_REST_PREFIX }, '/nowhere').settings['api.rest.prefix']
    expect(prefix('/v1')).to.equal('/v1')
    expect(prefix('/api/v1')).to.equal('/api/v1')
    for (const wrong of ['v1', '/', '/v1/', '/admin', '/uploads/x', '/a?b', '/a//b', '/%61'])
      expect(() => prefix(wrong), wrong).to.throw(/API_REST_PREFIX must be a path/)
  })
})
