import { expect } from 'chai'
import { startApp } from '../support/start-app.js'
import type { TestApp } from '../support/test-app.js'

describe('prototype key', () => {
  let app: TestApp
  before(async () => {
    app = await startApp()
  })
  after(() => app.stop())
  afterEach(() => {
    const plain: Record<string, unknown> = {}
    expect(plain['polluted']).to.be.undefined
    expect(Object.keys(Object.prototype)).to.deep.equal([])
  })

  for (const search of [
    '__proto__[polluted]=1',
    'filters[__proto__][polluted]=1',
    'filters[constructor][prototype][polluted]=1',
    'filters[name][__proto__][polluted]=1',
    'populate[__proto__][polluted]=1',
    'populate[articles][__proto__][fields]=polluted',
    'sort[__proto__]=polluted',
    'fields=__proto__',
    'fields=constructor',
    'sort=constructor',
    'pagination[__proto__]=1',
  ]) {
    it(`is refused in a query: ${search}`, async () => {
      const answer = await app.request('GET', `/api/authors?${search}`, { token: app.token })
      expect(answer.status).to.equal(400)
    })
  }

  for (const text of [
    '{"__proto__":{"polluted":1},"data":{"name":"a"}}',
    '{"data":{"__proto__":{"polluted":1},"name":"a"}}',
    '{"data":{"constructor":{"prototype":{"polluted":1}},"name":"a"}}',
    '{"data":{"name":"a","prototype":{"polluted":1}}}',
  ]) {
    it(`is refused in a body: ${text}`, async () => {
      const headers = { 'Content-Type': 'application/json' }
      const answer = await app.request('POST', '/api/authors', {
        token: app.token,
        headers,
        body: text,
      })
      expect(answer.status).to.equal(400)
    })
  }

  it('is refused in a form, and in the permissions of a role', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const body = 'data[__proto__][polluted]=1&data[constructor][prototype][polluted]=1'
    const form = await app.request('POST', '/api/authors', { token: app.token, headers, body })
    expect(form.status).to.equal(400)
    const tree =
      '{"permissions":{"constructor":{"controllers":{"prototype":{"polluted":{"enabled":true}}}}}}'
    const role = await app.request('PUT', '/users-permissions/roles/1', {
      token: app.adminJwt,
      headers: { 'Content-Type': 'application/json' },
      body: tree,
    })
    expect(role.status).to.equal(400)
  })

  it('is not found as a content-type or a document', async () => {
    for (const path of [
      '__proto__',
      'constructor',
      'toString',
      'authors/__proto__',
      'users/__proto__',
    ])
      expect(
        (await app.request('GET', `/api/${path}`, { token: app.token })).status,
        path,
      ).to.equal(404)
  })
})
