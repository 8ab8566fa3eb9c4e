import { expect } from 'chai'
import { testDatabaseUri } from '../../../support/database.js'
import { errorBody } from '../../../support/error-body.js'
import { startApp } from '../../../support/start-app.js'
import type { TestApp } from '../../../support/test-app.js'
import { collectLines } from '../../../support/log-lines.js'

type Tokens = Readonly<{ jwt: string; refreshToken?: string; user?: { id: number } }>

describe('sessions with auth.mode=refresh', () => {
  let app: TestApp
  let other: TestApp
  const { log, lines } = collectLines()
  before(async () => {
    const databaseUri = await testDatabaseUri()
    const settings = { 'auth.mode': 'refresh', 'cors.origins': ['https://shop.example'] } as const
    app = await startApp({ databaseUri, settings, log })
    other = await startApp({ databaseUri, settings })
    for (const one of [app, other])
      await one.allow('authenticated', [
        ...['auth.logout', 'auth.changePassword', 'user.me'].map(
          (name) => `plugin::users-permissions.${name}`,
        ),
      ])
  })
  after(async () => {
    await app.stop()
    await other.stop()
  })

  const post = (path: string, body: unknown, headers: Record<string, string> = {}, at = app) =>
    at.request('POST', `/api/auth/${path}`, { body, headers })
  const bearer = (jwt: string) => ({ Authorization: `Bearer ${jwt}` })
  const register = async (username: string, more: object = {}): Promise<Required<Tokens>> => {
    const body = { username, email: `${username}@example.org`, password: 'Passw0rd!', ...more }
    return (await post('local/register', body)).body as Required<Tokens>
  }
  const logIn = (username: string, headers: Record<string, string> = {}, more: object = {}) =>
    post('local', { identifier: username, password: 'Passw0rd!', ...more }, headers)
  const me = async (jwt: string, at = app) =>
    (await at.request('GET', '/api/users/me', { headers: bearer(jwt) })).status
  const invalid = errorBody(401, 'UnauthorizedError', 'Invalid refresh token', {})

  it('start at registration and login with a JWT for ten minutes and a refresh token', async () => {
    const registered = await register('ana', { deviceId: 'phone' })
    const loggedIn = (await logIn('ana')).body as Required<Tokens>
    for (const tokens of [registered, loggedIn]) {
      expect(Object.keys(tokens)).to.deep.equal(['jwt', 'refreshToken', 'user'])
      const payload = JSON.parse(
        Buffer.from(tokens.jwt.split('.')[1] ?? '', 'base64url').toString(),
      ) as Record<string, unknown>
      expect(payload).to.include({
        id: tokens.user.id,
        userId: String(tokens.user.id),
        type: 'access',
      })
      expect(Number(payload['exp']) - Number(payload['iat'])).to.equal(600)
      expect(payload['sessionId']).to.equal(tokens.refreshToken.split('.')[0])
      expect(await me(tokens.jwt)).to.equal(200)
      expect(await me(tokens.jwt, other)).to.equal(200)
      expect(await me(tokens.refreshToken)).to.equal(401)
    }
  })

  it('are continued by each refresh in any instance, and not by an invalid token', async () => {
    const { refreshToken } = await register('bea')
    const first = await post('refresh', { refreshToken }, {}, other)
    expect(first.status).to.equal(200)
    expect(Object.keys(first.body as object)).to.deep.equal(['jwt', 'refreshToken'])
    expect(first.headers.get('cache-control')).to.equal('no-store')
    const second = await post('refresh', first.body)
    expect(await me((second.body as Tokens).jwt, other)).to.equal(200)
    const missing = await post('refresh', {})
    expect([missing.status, missing.body]).to.deep.equal([
      400,
      errorBody(400, 'BadRequestError', 'Missing refresh token'),
    ])
    for (const wrong of ['x', (second.body as Tokens).jwt, app.token])
      expect((await post('refresh', { refreshToken: wrong })).body).to.deep.equal(invalid)
  })

  it('end when a refresh token is reused, which is logged without the token', async () => {
    const { refreshToken } = await register('cleo')
    const next = (await post('refresh', { refreshToken })).body as Tokens
    const { db } = app.quire.services
    await db.collection('_sessions').updateMany({}, { $set: { refreshedAt: new Date(0) } })
    expect((await post('refresh', { refreshToken })).body).to.deep.equal(invalid)
    expect((await post('refresh', next)).body).to.deep.equal(invalid)
    expect(lines.some((line) => line.includes('"session-reused"'))).to.equal(true)
    expect(lines.join('')).not.to.include(refreshToken.split('.')[2])
  })

  it('are ended by a logout: the session of the JWT, those of a device, or all', async () => {
    const phone = await register('dora', { deviceId: 'phone' })
    const desk = (await logIn('dora', {}, { deviceId: 'desk' })).body as Required<Tokens>
    const other = (await logIn('dora', {}, { deviceId: 'other' })).body as Required<Tokens>
    expect((await post('logout', {}, bearer(phone.jwt))).body).to.deep.equal({ ok: true })
    expect(await me(phone.jwt)).to.equal(401)
    expect((await post('refresh', phone)).body).to.deep.equal(invalid)
    expect(await me(desk.jwt)).to.equal(200)
    await post('logout', { deviceId: 'desk' }, bearer(other.jwt))
    expect([await me(desk.jwt), await me(other.jwt)]).to.deep.equal([401, 200])
    const last = (await logIn('dora')).body as Tokens
    await post('logout', { scope: 'all' }, bearer(other.jwt))
    expect([await me(last.jwt), await me(other.jwt)]).to.deep.equal([401, 401])
    const anonymous = await post('logout', {}, bearer(app.token))
    expect(anonymous.body).to.deep.equal(
      errorBody(401, 'UnauthorizedError', 'Missing authentication', {}),
    )
  })

  it('end when the password changes or the user is blocked, and stay ended', async () => {
    const eve = await register('eve')
    const changed = await post(
      'change-password',
      { currentPassword: 'Passw0rd!', password: 'N3wpass!', passwordConfirmation: 'N3wpass!' },
      bearer(eve.jwt),
    )
    const now = changed.body as Required<Tokens>
    expect([await me(eve.jwt), await me(now.jwt)]).to.deep.equal([401, 200])
    expect((await post('refresh', eve)).body).to.deep.equal(invalid)
    for (const blocked of [true, false])
      await app.request('PUT', `/api/users/${eve.user.id}`, { token: app.token, body: { blocked } })
    expect(await me(now.jwt)).to.equal(401)
    expect((await post('refresh', now)).body).to.deep.equal(invalid)
  })

  it('keep the refresh token in an HttpOnly cookie if the client requests it', async () => {
    await register('fay')
    const cookieHeaders = { 'X-Strapi-Refresh-Cookie': 'httpOnly' }
    const answer = await logIn('fay', cookieHeaders)
    expect(Object.keys(answer.body as object)).to.deep.equal(['jwt', 'user'])
    const cookie = answer.headers.get('set-cookie') ?? ''
    expect(cookie).to.match(
      /^strapi_up_refresh=[\w.-]+; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
    )
    const [Cookie = ''] = cookie.split(';')
    const next = await post('refresh', {}, { Cookie: `a=b; ${Cookie}; c=d` })
    expect(Object.keys(next.body as object)).to.deep.equal(['jwt'])
    expect(next.headers.get('set-cookie')).to.match(/^strapi_up_refresh=[\w.-]+;/)
    const { jwt } = next.body as Tokens
    const out = await post('logout', {}, { ...bearer(jwt), Cookie })
    expect(out.headers.get('set-cookie')).to.match(/^strapi_up_refresh=; Path=\/; Max-Age=0;/)
  })

  it('neither set a cookie for a page of another origin nor accept one from it', async () => {
    await register('gwen')
    const cookieHeaders = { 'X-Strapi-Refresh-Cookie': 'httpOnly' }
    const [Cookie = ''] = (
      (await logIn('gwen', cookieHeaders)).headers.get('set-cookie') ?? ''
    ).split(';')
    for (const Origin of ['https://evil.example', 'null', 'https://shop.example.evil.example']) {
      const planted = await logIn('gwen', { ...cookieHeaders, Origin })
      expect([planted.status, planted.headers.get('set-cookie')], Origin).to.deep.equal([403, null])
      expect((await post('refresh', {}, { Cookie, Origin })).status, Origin).to.equal(403)
    }
    for (const Origin of ['https://shop.example', app.url])
      expect((await logIn('gwen', { ...cookieHeaders, Origin })).status, Origin).to.equal(200)
  })

  it('do not exist with auth.mode=legacy, which rejects their JWTs', async () => {
    const { jwt, refreshToken } = await register('hana')
    const databaseUri = await testDatabaseUri()
    const legacy = await startApp({ databaseUri })
    try {
      for (const path of ['refresh', 'logout'])
        expect((await post(path, { refreshToken }, {}, legacy)).status, path).to.equal(404)
      expect(await me(jwt, legacy)).to.equal(401)
    } finally {
      await legacy.stop()
    }
  })
})
