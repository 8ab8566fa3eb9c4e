import { expect } from 'chai'
import { generateKeyPair, SignJWT } from 'jose'
import { openBrowser, type Browser } from '../../../support/browser.js'
import { errorBody } from '../../../support/error-body.js'
import { collectLines } from '../../../support/log-lines.js'
import { json, loginClient, startLoginProvider } from '../../../support/login-provider.js'
import type { LoginProvider } from '../../../support/login-provider.js'
import { startApp } from '../../../support/start-app.js'
import type { TestApp } from '../../../support/test-app.js'

const publicUrl = 'http://cms.example.org'

const unusable = errorBody(502, 'BadGatewayError', 'oidc sent a response that cannot be used', {})
const unreachable = errorBody(
  503,
  'ServiceUnavailableError',
  'oidc cannot be reached at present. Try again',
  {},
)

describe('failing login provider', () => {
  let app: TestApp
  let provider: LoginProvider
  const { log, lines } = collectLines()

  before(async () => {
    provider = await startLoginProvider()
    app = await start()
  })
  after(async () => {
    await app.stop()
    await provider.stop()
  })
  beforeEach(() => {
    provider.instead.clear()
    provider.asked.length = 0
    provider.user.claims = { email: 'ana@example.org', email_verified: true }
  })
  /** The default timeout is long enough for a slow machine. Tests of the timeout pass a shorter one. */
  const start = ({ providerTimeoutMs = 30_000, issuer = provider.url } = {}) =>
    startApp({
      log,
      settings: {
        'http.publicUrl': publicUrl,
        'api.rest.maxInlineReads': 1,
        'auth.providerTimeoutMs': providerTimeoutMs,
        'auth.providers.oidc.issuer': issuer,
        'auth.providers.oidc.clientId': loginClient.id,
        'auth.providers.oidc.clientSecret': loginClient.secret,
        'auth.providers.oidc.redirect': ['https://shop.example.org/done'],
      },
    })

  const connect = `${publicUrl}/api/connect/oidc`
  const browser = (at = app): Browser => openBrowser(at, { publicUrl, providerUrl: provider.url })
  const logIn = async (at = app) => {
    const { answer } = await browser(at).follow(connect)
    return { status: answer.status, body: answer.body, headers: answer.headers }
  }
  const failures = (): unknown[] =>
    lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ event }) => event === 'provider-failed')
      .map(({ provider: name, code, err }) => [name, code, err])

  it('is asked for its configuration once, at the first login, and again if it did not respond properly', async () => {
    const fresh = await start()
    const path = '/.well-known/openid-configuration'
    expect(provider.asked).to.deep.equal([])
    provider.instead.set(path, (response) => json(response, 500, { error: 'no' }))
    expect((await logIn(fresh)).body).to.deep.equal(unusable)
    provider.instead.clear()
    for (const { status } of await Promise.all([logIn(fresh), logIn(fresh), logIn(fresh)]))
      expect(status).to.equal(302)
    expect(provider.asked.filter((requested) => requested === path)).to.have.length(2)
    await fresh.stop()
  })

  it('causes a 503 after the timeout, and does not delay other requests meanwhile', async () => {
    let requested = () => {}
    const isRequested = new Promise<void>((resolve) => (requested = resolve))
    provider.instead.set('/token', () => requested())
    const impatient = await start({ providerTimeoutMs: 2000 })
    const waiting = logIn(impatient)
    await isRequested
    const body = { username: 'carl', email: 'carl@example.org', password: 'Passw0rd!' }
    const registered = impatient
      .request('POST', '/api/auth/local/register', { body })
      .then(() => 'written')
    expect(await Promise.race([registered, waiting.then(() => 'held up')])).to.equal('written')
    const { status, body: answer, headers } = await waiting
    expect([status, answer]).to.deep.equal([503, unreachable])
    expect(headers.get('retry-after')).to.equal('5')
    expect(failures().at(-1)).to.deep.equal(['oidc', 'OAUTH_TIMEOUT', undefined])
    await impatient.stop()
  })

  it('causes a 503 if it is unreachable, at its configuration or at its token endpoint', async () => {
    const stopped = await startLoginProvider()
    await stopped.stop()
    const expectUnreachable = async (at: TestApp): Promise<void> => {
      const { status, body, headers } = await logIn(at)
      expect([status, body]).to.deep.equal([503, unreachable])
      expect(headers.get('retry-after')).to.equal('5')
      expect(failures().at(-1)).to.deep.equal(['oidc', 'ECONNREFUSED', undefined])
      await at.stop()
    }
    await expectUnreachable(await start({ issuer: stopped.url }))
    provider.instead.set('/.well-known/openid-configuration', (response) =>
      json(response, 200, {
        issuer: provider.url,
        authorization_endpoint: `${provider.url}/authorize`,
        token_endpoint: `${stopped.url}/token`,
        jwks_uri: `${provider.url}/jwks`,
      }),
    )
    await expectUnreachable(await start())
  })

  it('causes a 503 if it closes the connection', async () => {
    provider.instead.set('/token', (response) => void response.destroy())
    expect((await logIn()).body).to.deep.equal(unreachable)
    provider.instead.set('/token', (response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' })
      response.write('{', () => response.destroy())
    })
    expect((await logIn()).body).to.deep.equal(unreachable)
  })

  it('causes a 502 if its token response is invalid', async () => {
    const token = { access_token: 'x', token_type: 'bearer' }
    const answers: readonly Parameters<typeof provider.instead.set>[1][] = [
      (response) => json(response, 200, token),
      (response) => json(response, 200, { ...token, id_token: 'a.b.c' }),
      (response) => json(response, 200, []),
      (response) => void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>'),
      (response) => void response.writeHead(200, { 'Content-Type': 'application/json' }).end('{'),
      (response) => void response.writeHead(302, { Location: `${provider.url}/user` }).end(),
      (response) => json(response, 400, { error: 'a secret of its own, and spaces' }),
      (response) => json(response, 200, { ...token, more: 'x'.repeat(300_000) }),
    ]
    for (const [at, answer] of answers.entries()) {
      provider.instead.set('/token', answer)
      const { status, body } = await logIn()
      expect([at, status, body]).to.deep.equal([at, 502, unusable])
    }
    expect(failures().at(-1)).to.deep.equal(['oidc', 'TOO_LARGE', undefined])
    expect(lines.join('')).not.to.contain('a secret of its own')
    expect(provider.asked).not.to.include('/user')
  })

  it('causes a 502 and a log line if it rejects the client credentials', async () => {
    provider.instead.set('/token', (response) => json(response, 401, { error: 'invalid_client' }))
    expect((await logIn()).body).to.deep.equal(unusable)
    expect(failures().at(-1)).to.deep.equal(['oidc', 'invalid_client', undefined])
  })

  it('causes a 502 for an id token with a wrong issuer, audience, nonce or signature, or an expired one', async () => {
    const { privateKey } = await generateKeyPair('RS256')
    const one = browser()
    const right = { iss: provider.url, aud: loginClient.id, sub: 'someone', exp: Date.now() }
    for (const wrong of [
      { iss: 'https://other.example' },
      { aud: 'another client' },
      { nonce: 'another login' },
      { exp: 1000 },
      {},
    ]) {
      const { location } = await one.visit(connect)
      const nonce = location.searchParams.get('nonce') ?? ''
      const claims = { ...right, ...provider.user.claims, nonce, ...wrong }
      const idToken = await new SignJWT({ ...claims, iat: Math.floor(Date.now() / 1000) })
        .setProtectedHeader({ alg: 'RS256', kid: 'one' })
        .sign(privateKey)
      const answer = { access_token: 'x', token_type: 'bearer', id_token: idToken }
      provider.instead.set('/token', (response) => json(response, 200, answer))
      const { answer: refusal } = await one.follow(location.href)
      expect([wrong, refusal.status, refusal.body]).to.deep.equal([wrong, 502, unusable])
    }
  })

  it('causes a 502 if its token endpoint is remote and not https', async () => {
    const fresh = await start()
    const { url } = provider
    provider.instead.set('/.well-known/openid-configuration', (response) =>
      json(response, 200, {
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: 'http://login.example/token',
        jwks_uri: `${url}/jwks`,
      }),
    )
    expect((await logIn(fresh)).body).to.deep.equal(unusable)
    await fresh.stop()
    expect(failures().at(-1)).to.deep.equal(['oidc', 'NOT_HTTPS', undefined])
  })

  it('causes a 502 if its authorization endpoint is remote and not https', async () => {
    const fresh = await start()
    provider.instead.set('/.well-known/openid-configuration', (response) =>
      json(response, 200, {
        issuer: provider.url,
        authorization_endpoint: 'http://login.example/authorize',
        token_endpoint: `${provider.url}/token`,
      }),
    )
    expect((await logIn(fresh)).body).to.deep.equal(unusable)
    await fresh.stop()
  })

  it('sets a cookie without the __Host- prefix if the public URL is not https', async () => {
    const { answer } = await browser().visit(connect)
    const [cookie = ''] = answer.headers.getSetCookie()
    expect(cookie).to.match(/^quire-connect=[\w.-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/)
  })
})
