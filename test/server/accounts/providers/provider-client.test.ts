import { expect } from 'chai'
import { createProviderClient } from '../../../../server/accounts/providers/provider-client.js'
import { limitConcurrency } from '../../../../server/accounts/providers/limit-concurrency.js'
import {
  providerTable,
  type ProviderRow,
} from '../../../../server/accounts/providers/provider-table.js'
import type { Provider } from '../../../../server/accounts/providers/read-providers.js'
import type { ProviderName } from '../../../../server/settings/provider-settings.js'
import { json, loginClient, startLoginProvider } from '../../../support/login-provider.js'
import type { LoginProvider } from '../../../support/login-provider.js'

describe('provider client', () => {
  let provider: LoginProvider
  before(async () => (provider = await startLoginProvider()))
  after(() => provider.stop())
  beforeEach(() => {
    provider.instead.clear()
    provider.asked.length = 0
    delete provider.user.tokens
    provider.user.claims = { email: 'ana@example.org', email_verified: true }
  })

  const configuration = '/.well-known/openid-configuration'
  const redirectUri = 'https://cms.example.org/api/connect/some/callback'
  const login = {
    provider: 'oidc',
    state: 'a state',
    nonce: 'a nonce',
    verifier: 'v'.repeat(43),
    redirect: 'https://www.example.org',
  } as const

  const providerOf = (name: ProviderName, row: ProviderRow = providerTable[name]): Provider => ({
    ...{ name, row, issuer: provider.url, trustEmail: false, scope: row.scope.join(' ') },
    ...{ clientId: loginClient.id, clientSecret: loginClient.secret, redirects: [] },
  })
  const clientOf = (name: ProviderName, row?: ProviderRow, now?: () => number) =>
    createProviderClient(providerOf(name, row), { timeoutMs: 5000, ...(now && { now }) })
  const logIn = async (client: ReturnType<typeof clientOf>) => {
    const url = await client.loginUrl(login, redirectUri)
    const { headers } = await fetch(url, { redirect: 'manual' })
    const profile = await client.profile(login, new URL(headers.get('location') ?? ''))
    return { query: Object.fromEntries(url.searchParams), profile }
  }
  const metadata = (more: object) => ({
    issuer: provider.url,
    authorization_endpoint: `${provider.url}/authorize`,
    token_endpoint: `${provider.url}/token`,
    jwks_uri: `${provider.url}/jwks`,
    ...more,
  })

  it('omits nonce and PKCE for a provider that supports neither', async () => {
    provider.instead.set(configuration, (response) => json(response, 200, metadata({})))
    const { query, profile } = await logIn(clientOf('linkedin'))
    expect(query).to.have.all.keys('client_id', 'redirect_uri', 'response_type', 'scope', 'state')
    expect(profile).to.deep.equal({ email: 'ana@example.org', verified: true })
  })

  it('requests claims by name from Twitch, and reads its token with a list of scopes', async () => {
    provider.user.claims = { ...provider.user.claims, preferred_username: 'ana' }
    provider.user.tokens = { scope: ['openid', 'user:read:email'] }
    const { query, profile } = await logIn(clientOf('twitch'))
    const claims = { email: null, email_verified: null, preferred_username: null }
    expect(JSON.parse(query['claims'] ?? '')).to.deep.equal({ id_token: claims })
    expect(profile).to.deep.equal({ email: 'ana@example.org', verified: true, username: 'ana' })
  })

  it('reads the email address from the token response of VK, without a nonce or PKCE', async () => {
    const { url } = provider
    const protocol = {
      kind: 'oauth2',
      authorizeUrl: `${url}/authorize`,
      tokenUrl: `${url}/token`,
      pkce: false,
    } as const
    provider.instead.set('/token', (response) =>
      json(response, 200, { access_token: 'x', expires_in: 1, email: 'ana@example.org' }),
    )
    const { query, profile } = await logIn(clientOf('vk', { ...providerTable.vk, protocol }))
    expect(query).not.to.have.any.keys('nonce', 'code_challenge')
    expect(profile).to.deep.equal({ email: 'ana@example.org', verified: false })
  })

  it('reads the provider configuration once an hour, and keeps the previous one after an error', async () => {
    let hours = 0
    const client = clientOf('oidc', undefined, () => hours * 3_600_000)
    const urls = []
    for (const [at, answer] of [
      [0, metadata({ authorization_endpoint: `${provider.url}/one` })],
      [0.9, metadata({ authorization_endpoint: `${provider.url}/two` })],
      [1, undefined],
      [1.5, metadata({ authorization_endpoint: `${provider.url}/three` })],
      [2, metadata({ authorization_endpoint: `${provider.url}/four` })],
    ] as const) {
      hours = at
      provider.instead.set(configuration, (response) =>
        json(response, answer === undefined ? 500 : 200, answer ?? {}),
      )
      urls.push((await client.loginUrl(login, redirectUri)).pathname)
    }
    expect(urls).to.deep.equal(['/one', '/one', '/one', '/one', '/four'])
    expect(provider.asked).to.deep.equal([configuration, configuration, configuration])
  })

  it('rejects a login with 503 if too many are in progress', async () => {
    const run = limitConcurrency(2)
    let end = () => {}
    const ended = new Promise<void>((resolve) => (end = resolve))
    const running = [run(() => ended), run(() => ended)]
    const refused = await run(() => Promise.resolve('run')).catch((error: unknown) => error)
    expect(refused).to.include({
      status: 503,
      message: 'Too many logins are in progress. Try again',
    })
    end()
    await Promise.all(running)
    const failing = await run(() => Promise.reject(new Error('failed'))).catch(String)
    expect(failing).to.equal('Error: failed')
    expect(await run(() => Promise.resolve('run'))).to.equal('run')
  })
})
