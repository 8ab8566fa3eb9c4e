import { expect } from 'chai'
import { testDatabaseUri } from '../support/database.js'
import { errorBody } from '../support/error-body.js'
import { startMailServer, type MailServer } from '../support/mail-server.js'
import { startApp, type TestApp } from '../support/start-app.js'

type Data = Readonly<Record<string, unknown> & { id: number; token: string }>

describe('admins', () => {
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

  it('are invited by one another, and choose their password by a code that is mailed', async () => {
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

  it('change their password by the one they have, which ends their JWTs', async () => {
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

  it('change and remove one another, which ends what they could do at once', async () => {
    const { id } = await make('dora')
    const { token } = dataOf(await logIn('dora'))
    const path = `/admin/users/${id}`
    expect(await meOf(token)).to.equal(200)
    const taken = await asAdmin('PUT', path, { email: 'Admin@example.org' })
    expect(taken.body).to.deep.equal(errorBody(400, 'ApplicationError', 'Email already taken', {}))
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

  it('never lose the last active one, also when two remove each other at once', async () => {
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

    // One who is invited, or blocked, is not active.
    const draft = { firstname: 'E', email: 'eve@example.org' }
    await asAdmin('POST', '/admin/users', draft)
    expect((await asAdmin('DELETE', `/admin/users/${own}`)).body).to.deep.equal(last)

    const { id } = await make('fay')
    const { token } = dataOf(await logIn('fay'))
    const answers = await Promise.all([
      asAdmin('DELETE', `/admin/users/${id}`),
      other.request('DELETE', `/admin/users/${own}`, { token }),
    ])
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400])
    expect(await active()).to.equal(1)
  })
})
