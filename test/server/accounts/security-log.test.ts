import { Writable } from 'node:stream'
import { expect } from 'chai'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

const password = 'Passw0rd-of-ana'

describe('security log', () => {
  let text = ''
  let whole = ''
  let app: TestApp
  const log = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      text += chunk.toString()
      whole += chunk.toString()
      done()
    },
  })
  before(async () => {
    app = await startApp({ log, settings: { 'log.slowRequestMs': 0 } })
  })
  after(() => app.stop())

  type Line = Readonly<Record<string, unknown>>
  const eventsOf = async (work: () => Promise<unknown>): Promise<readonly Line[]> => {
    text = ''
    await work()
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line)
      .filter(({ event }) => event !== undefined)
  }
  const summarize = (lines: readonly Line[]) =>
    lines.map(({ event, by }) => `${String(event)}: ${String(by)}`)
  const post = (path: string, body: unknown, token?: string) =>
    app.request('POST', path, { body, ...(token === undefined ? {} : { token }) })

  it('records registrations, logins and failed logins', async () => {
    const person = { username: 'ana', email: 'ana@example.org', password }
    const lines = await eventsOf(async () => {
      await post('/api/auth/local/register', person)
      await post('/api/auth/local', { identifier: 'ana', password })
      await post('/api/auth/local', { identifier: 'ana', password: 'a secret guess' })
      await post('/api/auth/local', { identifier: 'a secret name', password })
      await post('/admin/login', { email: 'admin@example.org', password: 'a secret guess' })
    })
    expect(summarize(lines)).to.deep.equal([
      'user-registered: public',
      'login: public',
      'login-failed: public',
      'login-failed: public',
      'admin-login-failed: public',
    ])
    expect(lines[2]).to.include({ level: 40, user: 1, address: '127.0.0.1' })
    expect(lines[2]?.['request']).to.be.a('string')
    expect(lines[3]).to.include({ user: null })
  })

  it('records who changed tokens, roles and users', async () => {
    const { adminJwt: token } = app
    let key = ''
    const lines = await eventsOf(async () => {
      const draft = { name: 'site', description: '', type: 'read-only', lifespan: null }
      const made = await post('/admin/api-tokens', draft, token)
      const { id, accessKey } = (made.body as { data: { id: number; accessKey: string } }).data
      const again = await post(`/admin/api-tokens/${id}/regenerate`, {}, token)
      key = accessKey + (again.body as { data: { accessKey: string } }).data.accessKey
      await app.request('DELETE', `/admin/api-tokens/${id}`, { token })
      await app.request('PUT', '/users-permissions/roles/1', {
        token,
        body: {
          permissions: { 'api::tag': { controllers: { tag: { find: { enabled: true } } } } },
        },
      })
      await app.request('PUT', '/api/users/1', { token: app.token, body: { blocked: true } })
    })
    expect(summarize(lines)).to.deep.equal([
      'token-created: admin 1',
      'token-regenerated: admin 1',
      'token-removed: admin 1',
      'role-changed: admin 1',
      'user-changed: API token 1',
    ])
    expect(lines[0]).to.deep.include({ type: 'read-only', permissions: [] })
    expect(lines[3]).to.deep.include({ role: 1, granted: ['api::tag.tag.find'] })
    expect(lines[3]?.['revoked']).to.include('plugin::users-permissions.user.me')
    expect(lines[4]).to.deep.include({ user: 1, changed: ['blocked'] })
    for (const half of [key.slice(0, 128), key.slice(128)]) expect(text).not.to.include(half)
  })

  it('records the IP address that exceeded the rate limit', async () => {
    const limited = await startApp({ log, settings: { 'auth.rateLimit.max': 1 } })
    try {
      const logIn = () =>
        limited.request('POST', '/api/auth/local', { body: { identifier: 'a', password } })
      const lines = await eventsOf(async () => [await logIn(), await logIn()])
      expect(lines.at(-1)).to.include({
        event: 'rate-limited',
        limit: 'auth',
        address: '127.0.0.1',
      })
    } finally {
      await limited.stop()
    }
  })

  it('contains no password, code, token or JWT', () => {
    expect(whole).not.to.match(/secret guess|secret name|Passw0rd|argon2|eyJ/)
    expect(whole).not.to.include(app.token).and.not.include(app.adminJwt)
  })
})
