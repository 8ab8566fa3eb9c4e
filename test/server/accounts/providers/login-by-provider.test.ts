import { expect } from 'chai'
import { providerTable } from '../../../../server/accounts/providers/provider-table.js'
import { testDatabaseUri } from '../../../support/database.js'
import { openBrowser, type Browser, type Visited } from '../../../support/browser.js'
import { errorBody } from '../../../support/error-body.js'
import { collectLines } from '../../../support/log-lines.js'
import { loginClient, startLoginProvider } from '../../../support/login-provider.js'
import type { LoginProvider } from '../../../support/login-provider.js'
import { startApp } from '../../../support/start-app.js'
import type { TestApp } from '../../../support/test-app.js'

const publicUrl = 'https://cms.example.org'
const page = 'https://shop.example.org/connect/redirect'

const failure = (message: string) => errorBody(400, 'ApplicationError', message, {})
const notStarted = errorBody(
  400,
  'ValidationError',
  'This login was not started in this browser, or has expired. Start it again',
  {},
)

describe('login with a provider', () => {
  let app: TestApp
  let other: TestApp
  let provider: LoginProvider
  const { log, lines } = collectLines()

  before(async () => {
    provider = await startLoginProvider()
    const { url } = provider
    const settings = {
      'http.publicUrl': publicUrl,
      'auth.providers.oidc.issuer': url,
      'auth.providers.oidc.clientId': loginClient.id,
      'auth.providers.oidc.clientSecret': loginClient.secret,
      'auth.providers.oidc.redirect': [page, 'https://shop.example.org/#/other?from=login'],
      'auth.providers.github.clientId': loginClient.id,
      'auth.providers.github.clientSecret': loginClient.secret,
      'auth.providers.github.redirect': [page],
      'auth.providers.facebook.clientId': loginClient.id,
      'auth.providers.facebook.clientSecret': loginClient.secret,
      'auth.providers.facebook.redirect': [page],
      'auth.providers.facebook.trustEmail': true,
    }
    const protocol = {
      kind: 'oauth2',
      authorizeUrl: `${url}/authorize`,
      tokenUrl: `${url}/token`,
      profileUrl: `${url}/user`,
    } as const
    const providers = {
      ...providerTable,
      github: {
        ...providerTable.github,
        protocol: { ...protocol, pkce: true, emailsUrl: `${url}/user/emails` },
      },
      facebook: { ...providerTable.facebook, protocol: { ...protocol, pkce: false } },
    }
    const databaseUri = await testDatabaseUri()
    app = await startApp({ settings, providers, log, databaseUri })
    other = await startApp({
      settings: { ...settings, 'auth.mode': 'refresh', 'auth.registration': 'closed' },
      providers,
      databaseUri,
    })
  })
  after(async () => {
    await other.stop()
    await app.stop()
    await provider.stop()
  })
  beforeEach(() => {
    provider.instead.clear()
    provider.user.claims = {}
    delete provider.user.userinfo
    delete provider.user.emails
  })

  const browser = (at = app) => openBrowser(at, { publicUrl, providerUrl: provider.url })
  const connect = (name: string) => `${publicUrl}/api/connect/${name}`
  const logIn = async (name: string, at = app): Promise<string> => {
    const { answer, location } = await browser(at).follow(connect(name))
    expect(answer.status, answer.text).to.equal(302)
    expect(location.href.startsWith(`${page}?access_token=`), location.href).to.equal(true)
    return location.searchParams.get('access_token') ?? ''
  }
  const finish = (name: string, ticket: string, at = app) =>
    at.request('GET', `/api/auth/${name}/callback?access_token=${ticket}`)
  const responseOf = ({ answer }: Visited) => [answer.status, answer.body]

  it('redirects to the provider and back to the front end, which exchanges its ticket for a JWT', async () => {
    provider.user.claims = { email: 'Ana@Example.org', email_verified: true, nickname: 'ana' }
    const ticket = await logIn('oidc')
    const { status, headers, body } = await finish('oidc', ticket)
    const { jwt, user } = body as { jwt: string; user: Record<string, unknown> }
    expect([status, headers.get('cache-control')]).to.deep.equal([200, 'no-store'])
    expect(Object.keys(body as object)).to.deep.equal(['jwt', 'user'])
    const expected = { username: 'ana', email: 'ana@example.org', provider: 'oidc' }
    expect(user).to.include({ ...expected, confirmed: true, blocked: false })
    await app.allow('authenticated', ['plugin::users-permissions.user.me'])
    expect((await app.request('GET', '/api/users/me', { token: jwt })).body).to.include(expected)
    const again = (await finish('oidc', await logIn('oidc'))).body as { user: { id: number } }
    expect(again.user.id).to.equal(user['id'])
  })

  it('requests a code with state, nonce and PKCE, and stores them in a __Host- cookie', async () => {
    const { answer, location } = await browser().visit(connect('oidc'))
    expect(answer.status).to.equal(302)
    expect(answer.headers.get('cache-control')).to.equal('no-store')
    const { state, nonce, code_challenge, ...query } = Object.fromEntries(location.searchParams)
    expect(query).to.deep.equal({
      client_id: loginClient.id,
      code_challenge_method: 'S256',
      redirect_uri: `${connect('oidc')}/callback`,
      response_type: 'code',
      scope: 'openid email profile',
    })
    for (const secret of [state, nonce, code_challenge]) expect(secret).to.match(/^[\w-]{43}$/)
    const [cookie = ''] = answer.headers.getSetCookie()
    expect(cookie).to.match(/^__Host-quire-connect=[\w.-]{100,}; /)
    const attributes = 'Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure'
    expect(cookie.endsWith(`; ${attributes}`), cookie).to.equal(true)
    expect(cookie).not.to.contain(state ?? '')
  })

  it('reads the profile and the email addresses of a provider without OpenID Connect', async () => {
    provider.user.userinfo = { login: 'octo', email: 'shown@example.org' }
    provider.user.emails = [
      { email: 'shown@example.org', primary: false, verified: false },
      { email: 'octo@example.org', primary: true, verified: true },
    ]
    const { body } = await finish('github', await logIn('github'))
    const expected = { username: 'octo', email: 'octo@example.org', provider: 'github' }
    expect((body as { user: object }).user).to.include(expected)
  })

  it('requests the profile if the id token does not confirm the email address', async () => {
    provider.user.claims = { email: 'eve@example.org', email_verified: false, name: 'Eve' }
    provider.user.userinfo = { email: 'bob@example.org', email_verified: 'true' }
    const { body } = await finish('oidc', await logIn('oidc'))
    expect((body as { user: object }).user).to.include({ email: 'bob@example.org' })
  })

  it('rejects an email address that the provider has not verified, unless the settings trust it', async () => {
    provider.user.claims = { email: 'una@example.org' }
    provider.user.userinfo = { email: 'una@example.org', name: 'Una' }
    const unverified = await finish('oidc', await logIn('oidc'))
    const message = 'oidc has not confirmed that the e-mail address is verified'
    expect([unverified.status, unverified.body]).to.deep.equal([400, failure(message)])
    provider.user.emails = [{ email: 'una@example.org', primary: true, verified: false }]
    expect((await finish('github', await logIn('github'))).status).to.equal(400)
    expect((await finish('facebook', await logIn('facebook'))).status).to.equal(200)
  })

  it('returns 400 if the provider sends no valid email address', async () => {
    for (const email of [undefined, 'nobody', 'a@localhost', 7, { $ne: '' }]) {
      provider.user.claims = { email_verified: true, ...(email === undefined ? {} : { email }) }
      const { status, body } = await finish('oidc', await logIn('oidc'))
      expect([status, body]).to.deep.equal([400, failure('Email was not available.')])
    }
  })

  it('chooses a free username without invisible characters', async () => {
    const names = ['na\u0000me\u200b', 'na me', 'ana@victim.example', 'x', '', 7]
    const given: unknown[] = []
    for (const [at, name] of names.entries()) {
      provider.user.claims = { email: `n${at}@example.org`, email_verified: true, name }
      const { body } = await finish('oidc', await logIn('oidc'))
      given.push((body as { user: { username: string } }).user.username)
    }
    const forms = [/^na me$/, /^na me-[\da-f]{8}$/, /^ana-[\da-f]{8}$/, /^x-/, /^n4-/, /^n5-/]
    for (const [at, form] of forms.entries()) expect(given[at]).to.match(form)
  })

  describe('ticket', () => {
    const newTicket = async (name: string): Promise<string> => {
      provider.user.claims = { email: `${name}@example.org`, email_verified: true, name }
      return logIn('oidc')
    }
    const unknown = (name: string) =>
      failure(`The access_token was not issued by this service for ${name}, or it has expired`)

    it('is accepted only for its provider; access tokens of the provider itself are rejected', async () => {
      const ticket = await newTicket('tess')
      const redirectUri = `${connect('oidc')}/callback`
      const { access_token: token = '' } = (await (
        await fetch(`${provider.url}/token`, {
          method: 'POST',
          body: new URLSearchParams({
            ...{ client_id: loginClient.id, client_secret: loginClient.secret },
            ...{ code: provider.issueCode({ redirectUri }), redirect_uri: redirectUri },
          }),
        })
      ).json()) as { access_token?: string }
      expect(token).not.to.equal('')
      for (const [name, text] of [
        ['oidc', token],
        ['github', ticket],
        ['oidc', `${ticket}x`],
      ] as const) {
        const { status, body } = await finish(name, text)
        expect([status, body]).to.deep.equal([400, unknown(name)])
      }
      expect((await finish('oidc', ticket)).status).to.equal(200)
    })

    it('is accepted by any instance, and again if the page repeats the request', async () => {
      const ticket = await newTicket('tina')
      expect((await finish('oidc', ticket)).status).to.equal(200)
      const { status, body } = await finish('oidc', ticket, other)
      expect(status).to.equal(200)
      expect(Object.keys(body as object)).to.deep.equal(['jwt', 'refreshToken', 'user'])
    })

    it('is required', async () => {
      for (const query of ['', '?access_token=', '?code=x', '?error=access_denied']) {
        const { status, body } = await app.request('GET', `/api/auth/oidc/callback${query}`)
        expect([status, body]).to.deep.equal([400, failure('No access_token.')])
      }
    })

    it('is stored as a hash', async () => {
      const ticket = await newTicket('tom')
      const stored = await app.quire.services.db.collection('_provider_logins').find().toArray()
      expect(stored.length).to.be.above(0)
      expect(JSON.stringify(stored)).not.to.contain(ticket)
    })
  })

  describe('user lookup', () => {
    const as = async (email: string, at = app) => {
      provider.user.claims = { email, email_verified: true }
      return finish('oidc', await logIn('oidc', at), at)
    }

    it('rejects the email address of a user who registered in another way, confirmed or not', async () => {
      const body = { username: 'mallory', email: 'victim@example.org', password: 'Passw0rd!' }
      expect((await app.request('POST', '/api/auth/local/register', { body })).status).to.equal(200)
      for (const confirmed of [true, false]) {
        const users = app.quire.services.db.collection('users')
        await users.updateOne({ email: body.email }, { $set: { confirmed } })
        const taken = await as('Victim@example.org')
        expect([taken.status, taken.body]).to.deep.equal([400, failure('Email is already taken.')])
      }
      provider.user.userinfo = { login: 'ana' }
      provider.user.emails = [{ email: 'ana@example.org', primary: true, verified: true }]
      expect((await finish('github', await logIn('github'))).body).to.deep.equal(
        failure('Email is already taken.'),
      )
    })

    it('rejects a blocked user', async () => {
      expect((await as('bad@example.org')).status).to.equal(200)
      const users = app.quire.services.db.collection('users')
      await users.updateOne({ email: 'bad@example.org' }, { $set: { blocked: true } })
      expect((await as('bad@example.org')).body).to.deep.equal(
        failure('Your account has been blocked by an administrator'),
      )
    })

    it('rejects a new user if registration is closed, but not an existing one', async () => {
      expect((await as('old@example.org')).status).to.equal(200)
      expect((await as('old@example.org', other)).status).to.equal(200)
      expect((await as('new@example.org', other)).body).to.deep.equal(
        failure('Register action is actually not available.'),
      )
    })
  })

  describe('callback from the provider', () => {
    const startLogin = async (): Promise<{ one: Browser; back: URL }> => {
      provider.user.claims = { email: 'ana@example.org', email_verified: true }
      const one = browser()
      const { location } = await one.visit(connect('oidc'))
      return { one, back: (await one.visit(location.href)).location }
    }

    it('is rejected without the state of the same browser and provider', async () => {
      const { one, back } = await startLogin()
      const stranger = await startLogin()
      const changed = new URL(back)
      changed.searchParams.set('state', stranger.back.searchParams.get('state') ?? '')
      const without = new URL(back)
      without.searchParams.delete('state')
      expect(responseOf(await browser().visit(back.href))).to.deep.equal([400, notStarted])
      expect(responseOf(await stranger.one.visit(back.href))).to.deep.equal([400, notStarted])
      const again = await startLogin()
      expect(responseOf(await again.one.visit(changed.href))).to.deep.equal([400, notStarted])
      const last = await startLogin()
      expect(responseOf(await last.one.visit(without.href))).to.deep.equal([400, notStarted])
      const elsewhere = back.href.replace('/oidc/', '/github/')
      const cookies = new Map(one.cookies)
      expect(responseOf(await one.visit(elsewhere))).to.deep.equal([400, notStarted])
      for (const [name, value] of cookies) one.cookies.set(name, value)
      expect((await one.visit(back.href)).answer.status).to.equal(302)
    })

    it('is accepted once, even if the browser keeps its cookie', async () => {
      const { one, back } = await startLogin()
      const cookies = new Map(one.cookies)
      const first = await one.visit(back.href)
      expect(first.answer.status).to.equal(302)
      expect([...one.cookies]).to.deep.equal([])
      expect(responseOf(await one.visit(back.href))).to.deep.equal([400, notStarted])
      for (const [name, value] of cookies) one.cookies.set(name, value)
      back.searchParams.set(
        'code',
        provider.issueCode({ redirectUri: `${connect('oidc')}/callback` }),
      )
      expect(responseOf(await one.visit(back.href))).to.deep.equal([400, notStarted])
    })

    it('is rejected with the code of another login', async () => {
      const { one, back } = await startLogin()
      const stranger = await startLogin()
      back.searchParams.set('code', stranger.back.searchParams.get('code') ?? '')
      const message = 'The login with oidc has expired or was already used. Start it again'
      const expected = errorBody(400, 'ValidationError', message, {})
      expect(responseOf(await one.visit(back.href))).to.deep.equal([400, expected])
    })

    it('passes an error on to the front end', async () => {
      for (const [error, code] of [
        ['access_denied', 'access_denied'],
        ['<script>&a=b', 'server_error'],
      ] as const) {
        const { one, back } = await startLogin()
        back.searchParams.delete('code')
        back.searchParams.set('error', error)
        const { answer, location } = await one.visit(back.href)
        expect([answer.status, location.href]).to.deep.equal([302, `${page}?error=${code}`])
      }
    })

    it('is accepted by an instance that did not start the login', async () => {
      const { one, back } = await startLogin()
      const elsewhere = browser(other)
      for (const [name, value] of one.cookies) elsewhere.cookies.set(name, value)
      expect((await elsewhere.visit(back.href)).answer.status).to.equal(302)
    })
  })

  describe('redirect page', () => {
    it('can be chosen from the pages in the settings only', async () => {
      provider.user.claims = { email: 'ana@example.org', email_verified: true }
      const to = (callback: string) =>
        browser().follow(`${connect('oidc')}?callback=${encodeURIComponent(callback)}`)
      const { location } = await to('https://shop.example.org/#/other?from=login')
      expect(location.href).to.match(
        /^https:\/\/shop\.example\.org\/#\/other\?from=login&access_token=[\w-]{43}$/,
      )
      const message = 'callback must be one of the addresses in auth.providers.oidc.redirect'
      for (const callback of ['https://evil.example', `${page}/more`, `${page}?x`, ''])
        expect(responseOf(await to(callback))).to.deep.equal([
          400,
          errorBody(400, 'ValidationError', message, {}),
        ])
    })
  })

  it('returns 400 for a provider that is not configured', async () => {
    for (const name of ['google', 'twitter', 'local', 'constructor', '__proto__'])
      for (const path of [`connect/${name}`, `connect/${name}/callback`, `auth/${name}/callback`]) {
        const { status, body } = await app.request('GET', `/api/${path}?access_token=x`)
        expect([status, body], path).to.deep.equal([400, failure('This provider is disabled')])
      }
  })

  it('requires permission for connect and callback', async () => {
    const roles = app.quire.services.db.collection<{ permissions: string[] }>('roles')
    const revoke = async (name: string) => {
      const id = `plugin::users-permissions.auth.${name}`
      await roles.updateOne({ type: 'public' }, { $pull: { permissions: id } })
      await app.allow('authenticated', [])
      return id
    }
    const connectId = await revoke('connect')
    expect((await app.request('GET', '/api/connect/oidc')).status).to.equal(403)
    expect((await app.request('GET', '/api/connect/oidc/callback')).status).to.equal(403)
    const callbackId = await revoke('callback')
    expect((await app.request('GET', '/api/auth/oidc/callback')).status).to.equal(403)
    await app.allow('public', [connectId, callbackId])
    expect((await app.request('GET', '/api/connect/oidc')).status).to.equal(302)
  })

  it('logs no secret', async () => {
    provider.user.claims = { email: 'ana@example.org', email_verified: true }
    const ticket = await logIn('oidc')
    await finish('oidc', ticket)
    const whole = lines.join('')
    expect(whole).to.contain('"event":"login"')
    for (const secret of [ticket, loginClient.secret, 'code=', 'access_token=', 'state='])
      expect(whole).not.to.contain(secret)
  })
})
