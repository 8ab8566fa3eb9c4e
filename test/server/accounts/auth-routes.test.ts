import { expect } from 'chai'
import { errorBody } from '../../support/error-body.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

type Session = Readonly<{ jwt: string; user: Readonly<Record<string, unknown>> }>

describe('auth routes', () => {
  let app: TestApp
  before(async () => {
    app = await startApp()
  })
  after(() => app.stop())

  const post = (path: string, body: unknown, token?: string) =>
    app.request('POST', `/api/auth/${path}`, { body, ...(token === undefined ? {} : { token }) })
  const person = (username: string) => ({
    username,
    email: `${username}@example.org`,
    password: 'Passw0rd!',
  })
  const register = async (username: string): Promise<Session> =>
    (await post('local/register', person(username))).body as Session
  const statusOfMe = async (token: string) =>
    (await app.request('GET', '/api/users/me', { token })).status

  it('registers a user and returns a JWT that works', async () => {
    const answer = await post('local/register', { ...person('ana'), email: 'Ana@Example.org' })
    const { jwt, user } = answer.body as Session
    expect(answer.status).to.equal(200)
    expect(Object.keys(user)).to.deep.equal([
      ...['id', 'documentId', 'username', 'email', 'provider', 'confirmed', 'blocked'],
      ...['createdAt', 'updatedAt', 'publishedAt'],
    ])
    expect(user).to.include({ username: 'ana', email: 'ana@example.org', confirmed: true })
    const me = await app.request('GET', '/api/users/me', { token: jwt })
    expect([me.status, me.body]).to.deep.equal([200, user])
  })

  it('rejects a registration with a username or an email address that is taken', async () => {
    await register('bea')
    const taken = errorBody(400, 'ApplicationError', 'Email or Username are already taken', {})
    for (const change of [{ username: 'bea2' }, { email: 'bea2@example.org' }])
      expect((await post('local/register', { ...person('bea'), ...change })).body).to.deep.equal(
        taken,
      )
    const addressAsName = { ...person('bea3'), username: 'bea@example.org' }
    expect((await post('local/register', addressAsName)).body).to.deep.equal(taken)
  })

  it('rejects a username with invisible characters, and one that is taken in another Unicode form', async () => {
    await post('local/register', { ...person('clea1'), username: 'cléa' })
    const invisible = /^username must not contain invisible characters/
    for (const username of [
      ...[' clea', 'clea ', 'cl\u200bea', 'clea\u00ad', 'cl\u3164ea', 'cl\u202eae', 'cl\tea'],
      ...['cl\u00a0ea', 'cl  ea', 'clea\ufe0f', 'clea\u2028', '\u2003\u2003\u2003'],
    ]) {
      const data = { ...person('clea'), username }
      for (const [path, body] of [
        ['/api/auth/local/register', data],
        ['/api/users', { ...data, role: 1 }],
        ['/api/users/1', { username }],
      ] as const) {
        const method = path.endsWith('1') ? 'PUT' : 'POST'
        const token = path.startsWith('/api/users') ? { token: app.token } : {}
        const { body: answer } = await app.request(method, path, { body, ...token })
        expect(answer, `${path} ${JSON.stringify(username)}`)
          .to.have.nested.property('error.message')
          .that.matches(invisible)
      }
    }
    // The same letters, but with the accent as a separate character.
    const decomposed = 'cle\u0301a'
    expect(
      (await post('local/register', { ...person('clea'), username: decomposed })).body,
    ).to.deep.equal(errorBody(400, 'ApplicationError', 'Email or Username are already taken', {}))
    const { password } = person('')
    expect((await post('local', { identifier: decomposed, password })).status).to.equal(200)
  })

  it('registers only one of two users who register the same username concurrently', async () => {
    const answers = await Promise.all([
      post('local/register', person('twin')),
      post('local/register', { ...person('twin'), email: 'other-twin@example.org' }),
    ])
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400])
  })

  it('lists the missing attributes of a registration, and rejects unknown ones', async () => {
    const missing = await post('local/register', {})
    const required = (path: string) => ({
      path: [path],
      message: `${path} is a required field`,
      name: 'ValidationError',
    })
    const errors = ['email', 'username', 'password'].map(required)
    expect(missing.body).to.deep.equal(
      errorBody(400, 'ValidationError', '3 errors occurred', { errors }),
    )
    const role = await post('local/register', { ...person('eve'), role: 1 })
    expect(role.body).to.deep.equal(
      errorBody(400, 'ValidationError', 'Invalid parameters: role', {}),
    )
  })

  it('logs in by email address in any case or by exact username only', async () => {
    await register('cleo')
    const password = 'Passw0rd!'
    for (const identifier of ['cleo', 'CLEO@example.org'])
      expect((await post('local', { identifier, password })).status, identifier).to.equal(200)
    const invalid = errorBody(400, 'ValidationError', 'Invalid identifier or password', {})
    for (const attempt of [
      { identifier: 'CLEO', password },
      { identifier: 'cleo', password: 'passw0rd!' },
      { identifier: 'nobody', password },
    ])
      expect((await post('local', attempt)).body).to.deep.equal(invalid)
    const operator = await post('local', { identifier: { $ne: null }, password: { $ne: null } })
    expect([operator.status, operator.body]).to.have.nested.property('[0]', 400)
  })

  it('changes a password with the current one, and revokes earlier JWTs', async () => {
    const { jwt } = await register('dora')
    const change = {
      currentPassword: 'Passw0rd!',
      password: 'N3wpass!',
      passwordConfirmation: 'N3wpass!',
    }
    const wrong = await post('change-password', { ...change, currentPassword: 'zzzzzz' }, jwt)
    expect(wrong.body).to.have.nested.property(
      'error.message',
      'The provided current password is invalid',
    )
    const differs = await post('change-password', { ...change, passwordConfirmation: 'x' }, jwt)
    expect(differs.body).to.have.nested.property('error.message', 'Passwords do not match')
    const changed = await post('change-password', change, jwt)
    expect(changed.status).to.equal(200)
    expect(await statusOfMe(jwt)).to.equal(401)
    expect(await statusOfMe((changed.body as Session).jwt)).to.equal(200)
    expect((await post('local', { identifier: 'dora', password: 'N3wpass!' })).status).to.equal(200)
    expect((await post('local', { identifier: 'dora', password: 'Passw0rd!' })).status).to.equal(
      400,
    )
  })

  it('accepts one of several concurrent password changes with the same current password', async () => {
    const { jwt } = await register('dina')
    const chosen = Array.from({ length: 10 }, (_, at) => `N3wpass!${at}`)
    const answers = await Promise.all(
      chosen.map((password) => {
        const named = { password, passwordConfirmation: password }
        return post('change-password', { currentPassword: 'Passw0rd!', ...named }, jwt)
      }),
    )
    const won = answers.findIndex(({ status }) => status === 200)
    for (const [at, answer] of answers.entries())
      if (at !== won && answer.status !== 401)
        expect(answer.body, String(at)).to.deep.equal(
          errorBody(400, 'ValidationError', 'The provided current password is invalid', {}),
        )
    const logins = await Promise.all(
      chosen.map((password) => post('local', { identifier: 'dina', password })),
    )
    expect(logins.map(({ status }) => status)).to.deep.equal(
      chosen.map((_, at) => (at === won ? 200 : 400)),
    )
  })

  it('revokes JWTs when an administrator changes the password or blocks the user, who then cannot log in', async () => {
    const { jwt, user } = await register('fay')
    const path = `/api/users/${String(user['id'])}`
    const put = (body: unknown) => app.request('PUT', path, { token: app.token, body })
    expect((await put({ password: 'An0ther!' })).status).to.equal(200)
    expect(await statusOfMe(jwt)).to.equal(401)
    const login = () => post('local', { identifier: 'fay', password: 'An0ther!' })
    const { jwt: second } = (await login()).body as Session
    expect((await put({ blocked: true })).body).to.include({ blocked: true })
    expect(await statusOfMe(second)).to.equal(401)
    expect((await login()).body).to.have.nested.property(
      'error.message',
      'Your account has been blocked by an administrator',
    )
  })

  it('never returns passwords or mailed codes', async () => {
    await register('gwen')
    for (const path of ['/api/users', '/api/users?populate=*', '/api/users/1']) {
      const { text } = await app.request('GET', path, { token: app.token })
      expect(text, path).not.to.match(/argon2|password|Token/i)
    }
    const stored = await app.quire.services.db.collection('users').findOne({ username: 'gwen' })
    expect(stored?.['password']).to.match(/^\$argon2id\$/)
  })

  it('responds the same to forgot-password for known and unknown addresses, and rejects wrong codes', async () => {
    await register('hana')
    for (const email of ['hana@example.org', 'nobody@example.org'])
      expect((await post('forgot-password', { email })).body).to.deep.equal({ ok: true })
    const reset = { code: 'x.y', password: 'Passw0rd!', passwordConfirmation: 'Passw0rd!' }
    expect((await post('reset-password', reset)).body).to.deep.equal(
      errorBody(400, 'ValidationError', 'Incorrect code provided', {}),
    )
    const confirmation = await app.request('GET', '/api/auth/email-confirmation?confirmation=zzz')
    expect(confirmation.body).to.deep.equal(errorBody(400, 'ValidationError', 'Invalid token', {}))
  })

  it('returns 400 for a confirmation request without a code, and names the missing parameter', async () => {
    const message = 'confirmation is a required field'
    const errors = [{ path: ['confirmation'], message, name: 'ValidationError' }]
    for (const query of ['', '?confirmation=', '?confirm=x']) {
      const answer = await app.request('GET', `/api/auth/email-confirmation${query}`)
      const expected = errorBody(400, 'ValidationError', message, { errors })
      expect([answer.status, answer.body], query).to.deep.equal([400, expected])
    }
  })

  it('rejects an email address whose domain has no dot on every route', async () => {
    const bodies = {
      'local/register': person('ivy'),
      'forgot-password': {},
      'send-email-confirmation': {},
    }
    const refused = errorBody(400, 'ValidationError', 'email must be a valid email', {
      errors: [
        { path: ['email'], message: 'email must be a valid email', name: 'ValidationError' },
      ],
    })
    for (const [path, body] of Object.entries(bodies))
      for (const email of ['ivy@localhost', 'ivy@.org', 'ivy@example.', 'ivy@a..b', 'ivy']) {
        const answer = await post(path, { ...body, email })
        expect([answer.status, answer.body], `${path} ${email}`).to.deep.equal([400, refused])
      }
  })
})

describe('closed registration', () => {
  it('rejects every registration', async () => {
    const app = await startApp({ settings: { 'auth.registration': 'closed' } })
    try {
      const body = { username: 'ana', email: 'ana@example.org', password: 'Passw0rd!' }
      const refused = await app.request('POST', '/api/auth/local/register', { body })
      expect(refused.body).to.deep.equal(
        errorBody(400, 'ApplicationError', 'Register action is currently disabled', {}),
      )
    } finally {
      await app.stop()
    }
  })
})
