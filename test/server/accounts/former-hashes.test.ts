import { expect } from 'chai'
import { collectLines, isError } from '../../support/log-lines.js'
import { startApp, type TestApp } from '../../support/start-app.js'

// Of a Strapi's user, in `test/fixtures/strapi-export.tar.gz`.
const former = '$2a$10$vZhK7TYYOyxRGU7WuVPgquE4ZgmuWKbyzVZQtZXexGqItsHcqkZXq'

describe('A user who was brought along with a hash of bcrypt', () => {
  const { log, lines } = collectLines()
  let app: TestApp
  before(async () => {
    app = await startApp({ log })
  })
  after(() => app.stop())

  it('logs in also while no other hash can be kept, and gets one when it can', async () => {
    const { db } = app.quire.services
    const own = { username: 'ida', email: 'ida@example.org' }
    await create(own)
    await create({ username: 'jan', email: 'jan@example.org' })
    await db.collection('users').updateOne(own, { $set: { password: former } })
    const password = async () =>
      (await db.collection('users').findOne(own))?.['password'] as string | undefined
    const login = () =>
      app.request('POST', '/api/auth/local', {
        body: { identifier: 'ida', password: 'Passw0rd!' },
      })

    // One user may have a hash of ours, and has.
    const ours = { password: { $gte: '$argon2', $lt: '$argon3' } }
    const refusal = { name: 'one', unique: true, partialFilterExpression: ours }
    await db.collection('users').createIndex({ blocked: 1 }, refusal)
    const first = await login()
    expect([first.status, (first.body as { jwt?: string }).jwt]).to.satisfy(
      ([status, jwt]: unknown[]) => status === 200 && typeof jwt === 'string',
    )
    expect(await password()).to.equal(former)
    expect(lines.filter(isError)).to.have.lengthOf(1)

    await db.collection('users').dropIndex('one')
    expect((await login()).status).to.equal(200)
    expect(await password()).to.match(/^\$argon2id\$/)
    expect((await login()).status).to.equal(200)
    expect(lines.filter(isError)).to.have.lengthOf(1)
  })

  async function create(names: object): Promise<void> {
    const user = { ...names, password: 'other one', role: await roleId() }
    const { status } = await app.request('POST', '/api/users', { token: app.token, body: user })
    expect(status).to.equal(201)
  }

  async function roleId(): Promise<number | undefined> {
    const { body } = await app.request('GET', '/api/users-permissions/roles', { token: app.token })
    return (body as { roles: { id: number; type: string }[] }).roles.find(
      ({ type }) => type === 'authenticated',
    )?.id
  }
})
