import { expect } from 'chai'
import { errorBody } from '../../support/error-body.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

describe('management API', () => {
  let app: TestApp
  before(async () => {
    app = await startApp()
  })
  after(() => app.stop())

  const asAdmin = (method: string, path: string, body?: unknown) =>
    app.request(method, path, { token: app.adminJwt, ...(body === undefined ? {} : { body }) })

  it('logs an admin in with email address and password', async () => {
    const login = { email: 'Admin@example.org', password: 'Admin-password-1' }
    const { status, body } = await app.request('POST', '/admin/login', { body: login })
    const { token, user } = (body as { data: { token: string; user: object } }).data
    expect(status).to.equal(200)
    const me = await app.request('GET', '/admin/users/me', { token })
    expect(me.body).to.deep.equal({ data: user })
    expect(user).to.include({ email: 'admin@example.org', isActive: true, blocked: false })
    expect(user).not.to.have.property('password')

    const wrong = await app.request('POST', '/admin/login', { body: { ...login, password: 'no' } })
    expect(wrong.body).to.deep.equal(errorBody(400, 'ApplicationError', 'Invalid credentials', {}))
  })

  it('rejects the registration of an admin if one exists', async () => {
    const body = {
      firstname: 'Eve',
      lastname: 'E',
      email: 'eve@example.org',
      password: 'Evil-pass-1',
    }
    const answer = await app.request('POST', '/admin/register-admin', { body })
    expect(answer.body).to.deep.equal(
      errorBody(400, 'ApplicationError', 'You cannot register a new super admin', {}),
    )
  })

  it('lets only one of several concurrent registrations become the first admin', async () => {
    await app.quire.services.db.collection('admin_users').deleteMany({})
    const register = (name: string) => {
      const body = {
        ...{ firstname: name, lastname: 'A', email: `${name}@example.org` },
        password: 'Admin-password-1',
      }
      return app.request('POST', '/admin/register-admin', { body })
    }
    const answers = await Promise.all(['one', 'two', 'three', 'four'].map(register))
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400, 400, 400])
    const [made] = answers.filter(({ status }) => status === 200)
    const { token } = (made?.body as { data: { token: string } }).data
    app = { ...app, adminJwt: token }
  })

  for (const path of ['/api/content-type-builder/components', '/api/users', '/api/tags']) {
    it(`issues a JWT that ${path} rejects`, async () => {
      const suggestion =
        'This is the token of an admin, which is valid outside the content API, for example for /admin and /users-permissions. For the content API, send an API token or the token of a user'
      expect((await asAdmin('GET', path)).body).to.deep.equal(
        errorBody(401, 'UnauthorizedError', 'Missing or invalid credentials', { suggestion }),
      )
    })
  }

  it('returns definitions to admins, and below /api to full-access tokens', async () => {
    const path = '/content-type-builder/components'
    const full = { token: app.token }
    expect((await asAdmin('GET', path)).status).to.equal(200)
    expect((await app.request('GET', path, full)).status).to.equal(401)
    expect((await app.request('GET', `/api${path}`, full)).status).to.equal(200)
  })

  it('creates further admins with unique email addresses, and lists them in pages', async () => {
    const body = {
      ...{ firstname: 'Bea', lastname: 'B', email: 'bea@example.org' },
      password: 'Admin-password-2',
    }
    expect((await asAdmin('POST', '/admin/users', body)).status).to.equal(201)
    expect((await asAdmin('POST', '/admin/users', body)).body).to.deep.equal(
      errorBody(400, 'ApplicationError', 'Email already taken', {}),
    )
    const weak = await asAdmin('POST', '/admin/users', { ...body, password: 'short' })
    expect(weak.status).to.equal(400)
    const { body: list } = await asAdmin('GET', '/admin/users?page=1&pageSize=1')
    expect(list)
      .to.have.nested.property('data.pagination')
      .that.deep.equals({
        ...{ page: 1, pageSize: 1, pageCount: 2, total: 2 },
      })
    expect(JSON.stringify(list)).not.to.include('argon2')
    const { body: all } = await asAdmin('GET', '/admin/users?pageSize=1000')
    expect(all).to.have.nested.property('data.pagination.pageSize', 100)
    for (const beyond of ['pageSize=0', 'page=0', 'page=-1', 'pageSize=many'])
      expect((await asAdmin('GET', `/admin/users?${beyond}`)).status, beyond).to.equal(400)
  })

  it('treats a missing body as empty, and rejects a body that is not an object', async () => {
    const path = '/upload/actions/bulk-delete'
    expect((await asAdmin('POST', path)).status).to.equal(200)
    expect((await asAdmin('POST', path, [1])).body).to.deep.equal(
      errorBody(400, 'ValidationError', 'The body must be an object', {}),
    )
  })

  it('returns the key of an API token only when it is created or regenerated', async () => {
    const body = { name: 'shown once', description: '', type: 'read-only', lifespan: 604_800_000 }
    const made = await asAdmin('POST', '/admin/api-tokens', body)
    const { id, accessKey, expiresAt, createdAt } = (
      made.body as { data: { id: number; accessKey: string; expiresAt: string; createdAt: string } }
    ).data
    expect(made.status).to.equal(201)
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).to.equal(604_800_000)
    const path = `/admin/api-tokens/${id}`
    for (const answer of [
      await asAdmin('GET', path),
      await asAdmin('GET', '/admin/api-tokens'),
      await asAdmin('PUT', path, { description: 'changed' }),
    ]) {
      expect(answer.status).to.equal(200)
      expect(answer.text).not.to.include('accessKey').and.not.include(accessKey)
    }
    const again = await asAdmin('POST', `${path}/regenerate`)
    expect((again.body as { data: { accessKey: string } }).data.accessKey).not.to.equal(accessKey)
    const use = (token: string) => app.request('GET', '/api/articles', { token })
    expect((await use(accessKey)).status).to.equal(401)
    expect((await asAdmin('DELETE', path)).status).to.equal(200)
    expect((await asAdmin('GET', path)).status).to.equal(404)
  })

  for (const [what, change] of [
    ['an unknown type', { type: 'root' }],
    ['an unknown action', { permissions: ['api::nope.nope.find'] }],
    ['no permissions', { permissions: [] }],
    ['a negative lifespan', { lifespan: -1 }],
    ['no name', { name: '' }],
  ] as const) {
    it(`rejects an API token with ${what}`, async () => {
      const permissions = ['api::tag.tag.find']
      const body = { name: what, description: '', type: 'custom', permissions, lifespan: null }
      const answer = await asAdmin('POST', '/admin/api-tokens', { ...body, ...change })
      expect(answer.status).to.equal(400)
    })
  }

  it('creates, updates and deletes locales, of which exactly one is the default', async () => {
    const codes = async () => {
      const { body } = await app.request('GET', '/api/i18n/locales', { token: app.token })
      return (body as { code: string; isDefault: boolean }[]).map(({ code, isDefault }) =>
        isDefault ? `${code}*` : code,
      )
    }
    expect(await codes()).to.deep.equal(['en*'])
    const french = { code: 'fr', name: 'French (fr)', isDefault: false }
    const { code, name } = french
    const added = await asAdmin('POST', '/i18n/locales', { code, name })
    expect(added.status).to.equal(200)
    expect(added.body).to.include(french)
    const { id } = added.body as { id: number }
    expect((await asAdmin('POST', '/i18n/locales', french)).body).to.deep.equal(
      errorBody(400, 'ApplicationError', 'This locale already exists', {}),
    )
    expect((await asAdmin('POST', '/i18n/locales', { ...french, code: '../x' })).status).to.equal(
      400,
    )
    expect((await asAdmin('PUT', `/i18n/locales/${id}`, { isDefault: true })).status).to.equal(200)
    expect(await codes()).to.deep.equal(['en', 'fr*'])
    const unchanged = await asAdmin('PUT', `/i18n/locales/${id}`, {
      isDefault: false,
      name: 'French',
    })
    expect([unchanged.status, unchanged.body]).to.deep.equal([
      200,
      { ...(unchanged.body as object), isDefault: true, name: 'French' },
    ])
    expect(await codes()).to.deep.equal(['en', 'fr*'])
    expect((await asAdmin('DELETE', `/i18n/locales/${id}`)).body).to.have.nested.property(
      'error.message',
      'Cannot delete the default locale',
    )
    const [english] = (await asAdmin('GET', '/i18n/locales')).body as { id: number }[]
    expect(
      (await asAdmin('PUT', `/i18n/locales/${english?.id}`, { isDefault: true })).status,
    ).to.equal(200)
    expect((await asAdmin('DELETE', `/i18n/locales/${id}`)).status).to.equal(200)
    expect(await codes()).to.deep.equal(['en*'])
  })
})
