import { expect } from 'chai'
import { testDatabaseUri } from '../../support/database.js'
import { errorBody } from '../../support/error-body.js'
import { startMailServer, type MailServer } from '../../support/mail-server.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

type Data = Readonly<Record<string, unknown> & { id: number; token: string }>

describe('admin accounts', () => {
  let mails: MailServer
  let databaseUri: string
  let app: TestApp
  let other: TestApp
  before(async () => {
    mails = await startMailServer()
    databaseUri = await testDatabaseUri()
    const settings = {
      ...{ 'email.url': mails.url, 'email.from': 'site@example.org' },
      'email.invitationUrl': 'https://site.example/join',
      'email.adminResetPasswordUrl': 'https://site.example/reset',
    }
    app = await startApp({ databaseUri, settings })
    other = await startApp({ databaseUri })
  })
  after(async () => {
    await other.stop()
    await app.stop()
    await mails.stop()
  })

  const as = (token: string, method: string, path: string, body?: unknown) =>
    app.request(method, path, { token, ...(body === undefined ? {} : { body }) })
  const asAdmin = (method: string, path: string, body?: unknown) =>
    as(app.adminJwt, method, path, body)
  const dataOf = ({ body }: { body: unknown }): Data => (body as { data: Data }).data
  const password = 'Admin-password-2'
  const make = async (name: string): Promise<Data> =>
    dataOf(
      await asAdmin('POST', '/admin/users', {
        ...{ firstname: name, lastname: 'A', email: `${name}@example.org`, password },
      }),
    )
  const logIn = (name: string, of = password) =>
    app.request('POST', '/admin/login', { body: { email: `${name}@example.org`, password: of } })
  const meOf = async (token: string) => (await as(token, 'GET', '/admin/users/me')).status

  it('lets an admin invite another, who sets a password with a mailed one-time code', async () => {
    const draft = { firstname: 'Bea', lastname: 'B', email: 'Bea@example.org' }
    const invited = await asAdmin('POST', '/admin/users', draft)
    expect(invited.status).to.equal(201)
    const { registrationToken, ...bea } = dataOf(invited)
    expect(bea).to.include({ email: 'bea@example.org', isActive: false })
    expect((await logIn('bea')).status).to.equal(400)

    const mail = await mails.next()
    const code = /registrationToken=(\S+)/.exec(mail.body)?.[1] ?? ''
    expect(mail.to).to.deep.equal(['bea@example.org'])
    expect(decodeURIComponent(code)).to.equal(registrationToken)
    const stored = await app.quire.services.db
      .collection('admin_users')
      .findOne({ _id: bea.id as never })
    expect(JSON.stringify(stored)).not.to.include(registrationToken)

    const info = `/admin/registration-info?registrationToken=${code}`
    expect((await app.request('GET', info)).body).to.deep.equal({
      data: { email: 'bea@example.org', firstname: 'Bea', lastname: 'B' },
    })
    const accept = (userInfo: object, token = registrationToken) =>
      app.request('POST', '/admin/register', { body: { registrationToken: token, userInfo } })
    expect((await accept({ password: 'short' })).status).to.equal(400)
    const invalid = errorBody(400, 'ValidationError', 'Invalid registrationToken', {})
    expect((await accept({ password }, `${String(registrationToken)}x`)).body).to.deep.equal(
      invalid,
    )
    const accepted = await accept({ firstname: 'Beate', password })
    expect(dataOf(accepted)['user']).to.include({ firstname: 'Beate', isActive: true })
    expect(await meOf(dataOf(accepted).token)).to.equal(200)
    expect((await logIn('bea')).status).to.equal(200)
    expect((await accept({ password })).body).to.deep.equal(invalid)
    expect((await app.request('GET', info)).body).to.deep.equal(invalid)
  })

  it('changes the password only with the current one, and revokes earlier JWTs', async () => {
    const { id } = await make('cleo')
    const { token } = dataOf(await logIn('cleo'))
    const next = 'Admin-password-3'
    const put = (body: object) => as(token, 'PUT', '/admin/users/me', body)
    expect((await put({ password: next })).body).to.deep.equal(
      errorBody(400, 'ValidationError', 'currentPassword is a required field', {}),
    )
    expect((await put({ password: next, currentPassword: 'wrong' })).body).to.deep.equal(
      errorBody(400, 'ValidationError', 'Invalid credentials', {}),
    )
    expect((await as(token, 'PUT', `/admin/users/${id}`, { password: next })).status).to.equal(400)
    const changed = await put({ password: next, currentPassword: password, firstname: 'Cleopatra' })
    expect(dataOf(changed)).to.include({ id, firstname: 'Cleopatra' })
    expect(await meOf(token)).to.equal(401)
    expect(await meOf(dataOf(changed).token)).to.equal(200)
    expect((await logIn('cleo')).status).to.equal(400)
    expect((await logIn('cleo', next)).status).to.equal(200)
  })

  it('accepts one of several concurrent password changes with the same current password', async () => {
    await make('dana')
    const { token } = dataOf(await logIn('dana'))
    const chosen = Array.from({ length: 10 }, (_, at) => `Admin-password-${at + 10}`)
    const answers = await Promise.all(
      chosen.map((next, at) =>
        (at % 2 === 0 ? app : other).request('PUT', '/admin/users/me', {
          ...{ token, body: { password: next, currentPassword: password } },
        }),
      ),
    )
    const won = answers.findIndex(({ status }) => status === 200)
    for (const [at, answer] of answers.entries())
      if (at !== won && answer.status !== 401)
        expect(answer.body, String(at)).to.deep.equal(
          errorBody(400, 'ValidationError', 'Invalid credentials', {}),
        )
    expect((await logIn('dana', chosen[won])).status).to.equal(200)
  })

  it('changes the email address only with the current password', async () => {
    const { id } = await make('gil')
    const { token } = dataOf(await logIn('gil'))
    const put = (body: object) => as(token, 'PUT', '/admin/users/me', body)
    expect((await put({ email: 'thief@example.org' })).body).to.deep.equal(
      errorBody(400, 'ValidationError', 'currentPassword is a required field', {}),
    )
    const wrong = await put({ email: 'thief@example.org', currentPassword: 'wrong' })
    expect(wrong.body).to.deep.equal(errorBody(400, 'ValidationError', 'Invalid credentials', {}))
    const other = await as(token, 'PUT', `/admin/users/${id}`, { email: 'thief@example.org' })
    expect(other.status).to.equal(400)
    // The email address may be repeated without the current password, because it does not change.
    expect((await put({ email: 'Gil@example.org', firstname: 'Gilbert' })).status).to.equal(200)
    const changed = await put({ email: 'gilbert@example.org', currentPassword: password })
    expect(dataOf(changed)).to.include({ id, email: 'gilbert@example.org' })
  })

  const requestReset = async (email: string): Promise<string> => {
    const response = await app.request('POST', '/admin/forgot-password', { body: { email } })
    expect([response.status, response.text]).to.deep.equal([204, ''])
    const { body, to } = await mails.next()
    expect(to).to.deep.equal([email.toLowerCase()])
    return decodeURIComponent(/site\.example\/reset\?code=(\S+)/.exec(body)?.[1] ?? '')
  }
  const reset = (resetPasswordToken: string, chosen: string) =>
    app.request('POST', '/admin/reset-password', {
      body: { resetPasswordToken, password: chosen },
    })
  const invalidCode = errorBody(400, 'ValidationError', 'Invalid resetPasswordToken', {})

  it('resets a forgotten password with a mailed code, which works once', async () => {
    const { id } = await make('hana')
    const { token } = dataOf(await logIn('hana'))
    const code = await requestReset('Hana@example.org')
    const stored = await app.quire.services.db
      .collection('admin_users')
      .findOne({ _id: id as never })
    expect(JSON.stringify(stored)).not.to.include(code)
    expect((await reset(code, 'too weak')).status).to.equal(400)
    expect((await reset(`${code}x`, 'Admin-password-4')).body).to.deep.equal(invalidCode)
    expect((await reset('', 'Admin-password-4')).status).to.equal(400)
    const chosen = ['Admin-password-4', 'Admin-password-5', 'Admin-password-6']
    const answers = await Promise.all(chosen.map((each) => reset(code, each)))
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400, 400])
    const won = answers.findIndex(({ status }) => status === 200)
    expect(dataOf(answers[won] ?? { body: {} })['user']).to.include({ id })
    expect(await meOf(token)).to.equal(401)
    expect((await logIn('hana')).status).to.equal(400)
    expect((await logIn('hana', chosen[won])).status).to.equal(200)
  })

  it('mails no reset code to an unknown, invited or blocked admin, but responds the same', async () => {
    const { id } = await make('ivo')
    await asAdmin('PUT', `/admin/users/${id}`, { blocked: true })
    await asAdmin('POST', '/admin/users', { firstname: 'J', email: 'jan@example.org' })
    await mails.next()
    const before = mails.received.length
    for (const name of ['ivo', 'jan', 'nobody']) {
      const body = { email: `${name}@example.org` }
      const response = await app.request('POST', '/admin/forgot-password', { body })
      expect([response.status, response.text]).to.deep.equal([204, ''])
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(mails.received).to.have.lengthOf(before)
  })

  it('invalidates mailed codes when the email address, password or blocked state changes', async () => {
    const { id } = await make('kim')
    const change = (body: object) => asAdmin('PUT', `/admin/users/${id}`, body)
    const first = await requestReset('kim@example.org')
    await change({ email: 'kimberly@example.org' })
    expect((await reset(first, 'Admin-password-4')).body).to.deep.equal(invalidCode)
    const second = await requestReset('kimberly@example.org')
    await change({ password: 'Admin-password-5' })
    expect((await reset(second, 'Admin-password-4')).body).to.deep.equal(invalidCode)
    const third = await requestReset('kimberly@example.org')
    await change({ blocked: true })
    expect((await reset(third, 'Admin-password-4')).body).to.deep.equal(invalidCode)

    const draft = { firstname: 'L', email: 'lea@example.org' }
    const lea = dataOf(await asAdmin('POST', '/admin/users', draft))
    await mails.next()
    const moved = dataOf(
      await asAdmin('PUT', `/admin/users/${lea.id}`, { email: 'leander@example.org' }),
    )
    const mail = await mails.next()
    expect(mail.to).to.deep.equal(['leander@example.org'])
    expect(moved['registrationToken']).to.be.a('string')
    const accept = async (registrationToken: unknown) =>
      app.request('POST', '/admin/register', {
        body: { registrationToken, userInfo: { password } },
      })
    expect((await accept(lea['registrationToken'])).status).to.equal(400)
    expect((await accept(moved['registrationToken'])).status).to.equal(200)
    const renamed = await asAdmin('PUT', `/admin/users/${lea.id}`, { firstname: 'Leo' })
    expect(dataOf(renamed)).not.to.have.property('registrationToken')
  })

  it('revokes the access of an admin at once when another admin blocks or deletes them', async () => {
    const { id } = await make('dora')
    const { token } = dataOf(await logIn('dora'))
    const path = `/admin/users/${id}`
    expect(await meOf(token)).to.equal(200)
    const duplicate = await asAdmin('PUT', path, { email: 'Admin@example.org' })
    expect(duplicate.body).to.deep.equal(
      errorBody(400, 'ApplicationError', 'Email already taken', {}),
    )
    expect(dataOf(await asAdmin('PUT', path, { blocked: true }))).to.include({ blocked: true })
    expect(await meOf(token)).to.equal(401)
    expect((await logIn('dora')).status).to.equal(400)
    await asAdmin('PUT', path, { blocked: false, lastname: 'D' })
    expect(await meOf(token)).to.equal(200)
    expect(dataOf(await asAdmin('DELETE', path))).to.include({ id, lastname: 'D' })
    expect(await meOf(token)).to.equal(401)
    expect((await asAdmin('GET', path)).status).to.equal(404)
    expect((await asAdmin('DELETE', path)).status).to.equal(404)
  })

  it('keeps the last active admin, even if two admins delete each other concurrently', async () => {
    const { db } = app.quire.services
    const active = () =>
      db.collection('admin_users').countDocuments({ isActive: true, blocked: false })
    await db.collection<object>('admin_users').deleteMany({ email: { $ne: 'admin@example.org' } })
    const own = dataOf(await asAdmin('GET', '/admin/users/me')).id
    const last = errorBody(400, 'ValidationError', 'You must have at least one active admin', {})
    for (const [method, body] of [
      ['DELETE', undefined],
      ['PUT', { isActive: false }],
      ['PUT', { blocked: true }],
    ] as const)
      expect((await asAdmin(method, `/admin/users/${own}`, body)).body).to.deep.equal(last)

    // Eve is not an active admin: first she is only invited, later she still has no password to log in with.
    const draft = { firstname: 'E', email: 'eve@example.org' }
    const eve = dataOf(await asAdmin('POST', '/admin/users', draft))
    expect((await asAdmin('DELETE', `/admin/users/${own}`)).body).to.deep.equal(last)
    await asAdmin('PUT', `/admin/users/${eve.id}`, { isActive: true })
    expect((await asAdmin('DELETE', `/admin/users/${own}`)).body).to.deep.equal(last)

    // Calls `remove` directly, because a request of an admin who is already removed would return 401.
    const { id } = await make('fay')
    const removals = await Promise.allSettled([
      app.quire.access.admins.remove(id),
      other.quire.access.admins.remove(own),
    ])
    expect(removals.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected'])
    const refused = removals.find((it) => it.status === 'rejected')
    expect(refused?.reason).to.include({ status: 400, message: last.error.message })
    await db.collection<object>('admin_users').deleteMany({ email: 'eve@example.org' })
    expect(await active()).to.equal(1)
  })
})
