import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { eventually } from '../database/support.js'
import { testDatabaseUri } from '../../support/database.js'
import { sideBySide } from '../../support/side-by-side.js'
import type { TestApp } from '../../support/test-app.js'
import { startApp } from '../../support/start-app.js'

/** Milliseconds for which another instance may still accept credentials after they were changed or revoked. */
const freshMs = 250
const later = () => sleep(freshMs + 10)

const tags = 'api::tag.tag.find'

describe('several instances with one database', function () {
  this.timeout(120_000)
  let one: TestApp
  let other: TestApp
  before(async () => {
    const databaseUri = await testDatabaseUri()
    const settings = { 'auth.mode': 'refresh' } as const
    one = await startApp({ databaseUri, settings })
    other = await startApp({ databaseUri, settings })
    await one.allow('authenticated', [tags])
  })
  // Runs the tests concurrently, because they mostly wait for the other instance to notice a change.
  const test = sideBySide()
  after(async () => {
    await one?.stop()
    await other?.stop()
  })

  const admin = () => ({ token: one.adminJwt })
  const full = () => ({ token: one.token })
  const read = async (token?: string) =>
    (await other.request('GET', '/api/tags', token === undefined ? {} : { token })).status
  let users = 0
  const register = async () => {
    const name = `user${(users += 1)}`
    const body = { username: name, email: `${name}@example.org`, password: 'Passw0rd!' }
    const answer = await one.request('POST', '/api/auth/local/register', { body })
    return answer.body as { jwt: string; refreshToken: string; user: { id: number } }
  }
  const makeToken = async () => {
    const body = {
      name: `token ${(users += 1)}`,
      description: '',
      type: 'read-only',
      lifespan: null,
    }
    const made = await one.request('POST', '/admin/api-tokens', { ...admin(), body })
    return (made.body as { data: { id: number; accessKey: string } }).data
  }
  const setUser = (id: number, body: object) =>
    one.request('PUT', `/api/users/${id}`, { token: one.token, body })

  type Revocation = Readonly<{
    /** Describes the credential that is rejected after the change. */
    what: string
    status: number
    prepare: () => Promise<Readonly<{ credential: string; end: () => Promise<number> }>>
  }>
  const revocations: readonly Revocation[] = [
    {
      what: 'an API token that was revoked',
      status: 401,
      prepare: async () => {
        const { id, accessKey } = await makeToken()
        const end = async () =>
          (await one.request('DELETE', `/admin/api-tokens/${id}`, admin())).status
        return { credential: accessKey, end }
      },
    },
    {
      what: 'an API token whose key was replaced',
      status: 401,
      prepare: async () => {
        const { id, accessKey } = await makeToken()
        const end = async () =>
          (await one.request('POST', `/admin/api-tokens/${id}/regenerate`, admin())).status
        return { credential: accessKey, end }
      },
    },
    {
      what: 'a user who was blocked',
      status: 401,
      prepare: async () => {
        const { jwt, user } = await register()
        return {
          credential: jwt,
          end: async () => (await setUser(user.id, { blocked: true })).status,
        }
      },
    },
    {
      what: 'a user who was deleted',
      status: 401,
      prepare: async () => {
        const { jwt, user } = await register()
        const end = async () =>
          (await one.request('DELETE', `/api/users/${user.id}`, { token: one.token })).status
        return { credential: jwt, end }
      },
    },
    {
      what: 'a user who has another password',
      status: 401,
      prepare: async () => {
        const { jwt, user } = await register()
        return {
          credential: jwt,
          end: async () => (await setUser(user.id, { password: 'An0therWord!' })).status,
        }
      },
    },
    {
      what: 'a session that was ended',
      status: 401,
      prepare: async () => {
        const { jwt } = await register()
        const end = async () =>
          (await one.request('POST', '/api/auth/logout', { token: jwt, body: {} })).status
        return { credential: jwt, end }
      },
    },
    {
      what: 'a role from which the permission was taken',
      status: 403,
      prepare: async () => {
        const { jwt, user } = await register()
        const { id } = await makeRole()
        await setUser(user.id, { role: id })
        const body = { permissions: {} }
        const end = async () =>
          (await one.request('PUT', `/api/users-permissions/roles/${id}`, { ...full(), body }))
            .status
        return { credential: jwt, end }
      },
    },
    {
      what: 'a role that was deleted',
      status: 403,
      prepare: async () => {
        const { jwt, user } = await register()
        const { id } = await makeRole()
        await setUser(user.id, { role: id })
        const end = async () =>
          (await one.request('DELETE', `/api/users-permissions/roles/${id}`, full())).status
        return { credential: jwt, end }
      },
    },
  ]
  const makeRole = async (): Promise<{ id: number }> => {
    const name = `Readers ${(users += 1)}`
    const permissions = { 'api::tag': { controllers: { tag: { find: { enabled: true } } } } }
    const body = { name, description: '', permissions }
    const path = '/api/users-permissions/roles'
    await one.request('POST', path, { ...full(), body })
    const { roles } = (await one.request('GET', path, full())).body as {
      roles: readonly { id: number; name: string }[]
    }
    return roles.find((role) => role.name === name) ?? { id: 0 }
  }

  for (const { what, status, prepare } of revocations)
    test(`refuse ${what} at another instance`, async () => {
      const { credential, end } = await prepare()
      await later()
      expect(await read(credential)).to.equal(200)
      expect(await end()).to.be.oneOf([200, 201, 204])
      await later()
      expect(await read(credential)).to.equal(status)
    })

  it('refuse an admin who was blocked at another instance', async () => {
    const body = { email: 'ben@example.org', password: 'Admin-password-2', isActive: true }
    const made = await one.request('POST', '/admin/users', {
      ...admin(),
      body: { ...body, firstname: 'Ben', lastname: 'Below' },
    })
    const { id } = (made.body as { data: { id: number } }).data
    const login = await other.request('POST', '/admin/login', {
      body: { email: body.email, password: body.password },
    })
    const { token } = (login.body as { data: { token: string } }).data
    const me = async () => (await other.request('GET', '/admin/users/me', { token })).status
    expect(await me()).to.equal(200)
    await one.request('PUT', `/admin/users/${id}`, { ...admin(), body: { blocked: true } })
    await later()
    expect(await me()).to.equal(401)
  })

  it('never accept a token that was revoked more than 250 ms ago, even if it is used continuously', async () => {
    // Starts the tasks one after the other, so that tokens are revoked at different times between two confirmations.
    const useAndRevoke = async (_: unknown, at: number) => {
      await sleep(at * 40)
      const { id, accessKey } = await makeToken()
      expect(await read(accessKey)).to.equal(200)
      let isUsed = true
      const using = Promise.all(
        [0, 1, 2].map(async () => {
          while (isUsed) expect(await read(accessKey)).to.be.oneOf([200, 401])
        }),
      )
      await one.request('DELETE', `/admin/api-tokens/${id}`, admin())
      await later()
      isUsed = false
      // Requests that are still in flight may succeed, but not a new one.
      expect(await read(accessKey), `token ${id}`).to.equal(401)
      await using
    }
    for (let round = 0; round < 5; round += 1)
      await Promise.all(Array.from({ length: 10 }, useAndRevoke))
  })

  it('apply a permission that another instance has granted', async () => {
    expect(await read()).to.equal(403)
    await one.allow('public', [tags])
    await later()
    expect(await read()).to.equal(200)
  })

  test('know a locale that another instance created, made the default, or deleted', async () => {
    const locales = () => other.quire.services.locales()
    const body = { code: 'nb', name: 'Norsk', isDefault: true }
    const made = await one.request('POST', '/i18n/locales', { ...admin(), body })
    await eventually(() => locales().default === 'nb' && locales().codes.has('nb'))
    const all = (await one.request('GET', '/i18n/locales', admin())).body as {
      id: number
      code: string
    }[]
    const english = all.find(({ code }) => code === 'en')?.id
    const path = `/i18n/locales/${english}`
    await one.request('PUT', path, { ...admin(), body: { isDefault: true } })
    await eventually(() => locales().default === 'en')
    const { id } = made.body as { id: number }
    expect((await one.request('DELETE', `/i18n/locales/${id}`, admin())).status).to.equal(200)
    await eventually(() => !locales().codes.has('nb'))
  })
})
