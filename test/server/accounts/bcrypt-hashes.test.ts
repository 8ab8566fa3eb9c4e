import { expect } from 'chai'
import { collectLines, isError } from '../../support/log-lines.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

// The hash of a user in `test/fixtures/strapi-export.tar.gz`.
const bcryptHash = '$2a$10$vZhK7TYYOyxRGU7WuVPgquE4ZgmuWKbyzVZQtZXexGqItsHcqkZXq'

describe('imported user with a bcrypt hash', () => {
  const { log, lines } = collectLines()
  let app: TestApp
  before(async () => {
    app = await startApp({ log })
  })
  after(() => app.stop())

  it('can log in even if the new hash cannot be stored, and gets an argon2 hash at a later login', async () => {
    const { db } = app.quire.services
    const ida = { username: 'ida', email: 'ida@example.org' }
    await create(ida)
    await create({ username: 'jan', email: 'jan@example.org' })
    await db.collection('users').updateOne(ida, { $set: { password: bcryptHash } })
    const password = async () =>
      (await db.collection('users').findOne(ida))?.['password'] as string | undefined
    const login = () =>
      app.request('POST', '/api/auth/local', {
        body: { identifier: 'ida', password: 'Passw0rd!' },
      })

    // With this unique index, MongoDB rejects a second argon2 hash, because user `jan` already has one.
    const argon2Hash = { password: { $gte: '$argon2', $lt: '$argon3' } }
    const uniqueHash = { name: 'one', unique: true, partialFilterExpression: argon2Hash }
    await db.collection('users').createIndex({ blocked: 1 }, uniqueHash)
    const first = await login()
    expect([first.status, (first.body as { jwt?: string }).jwt]).to.satisfy(
      ([status, jwt]: unknown[]) => status === 200 && typeof jwt === 'string',
    )
    expect(await password()).to.equal(bcryptHash)
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
