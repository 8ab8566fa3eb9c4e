import { expect } from 'chai'
import { ensureRoles } from '../../../server/accounts/roles/first-roles.js'
import { testDatabaseUri } from '../../support/database.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

/** In ms: a little longer than the 250 ms within which a process notices the writes of other processes. */
const staleMs = 260

describe('several processes on one database', () => {
  let one: TestApp
  let other: TestApp
  before(async () => {
    const databaseUri = await testDatabaseUri()
    one = await startApp({ databaseUri })
    other = await startApp({ databaseUri })
  })
  after(async () => {
    await one.stop()
    await other.stop()
  })

  it('create the default roles, the first locale and the first admin only once', async () => {
    const { db } = one.quire.services
    await db.collection('roles').deleteMany({})
    await Promise.all([one, other, one, other].map(({ quire }) => ensureRoles(quire.services)))
    one.quire.access.rolesChanged()
    other.quire.access.rolesChanged()
    for (const [collection, count] of [
      ['roles', 2],
      ['locales', 1],
      ['admin_users', 1],
    ] as const)
      expect(await db.collection(collection).countDocuments(), collection).to.equal(count)
  })

  it('notice changed permissions, deleted tokens and deleted users of each other within 250 ms', async () => {
    const body = { username: 'ana', email: 'ana@example.org', password: 'Passw0rd!' }
    const registered = await one.request('POST', '/api/auth/local/register', { body })
    const { jwt, user } = registered.body as { jwt: string; user: { id: number } }
    const made = await one.request('POST', '/admin/api-tokens', {
      token: one.adminJwt,
      body: { name: 'shared', description: '', type: 'read-only', lifespan: null },
    })
    const { id, accessKey } = (made.body as { data: { id: number; accessKey: string } }).data
    const statuses = async () => [
      (await other.request('GET', '/api/tags')).status,
      (await other.request('GET', '/api/tags', { token: accessKey })).status,
      (await other.request('GET', '/api/users/me', { token: jwt })).status,
    ]
    expect(await statuses()).to.deep.equal([403, 200, 200])

    await one.allow('public', ['api::tag.tag.find'])
    await one.request('DELETE', `/admin/api-tokens/${id}`, { token: one.adminJwt })
    await one.request('DELETE', `/api/users/${user.id}`, { token: one.token })
    await new Promise((resolve) => setTimeout(resolve, staleMs))
    expect(await statuses()).to.deep.equal([200, 401, 401])
  })
})
