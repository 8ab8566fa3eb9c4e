import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchProtectedResource,
  fetchUserInfo,
  type ClientAuth,
  type ServerMetadata,
  type TokenEndpointResponse,
  type TokenEndpointResponseHelpers,
} from 'openid-client'
import { isObject, objectOf } from '../../../engine/values/is-object.js'
import { isSecureAddress } from '../../settings/secure-address.js'
import type { BegunLogin } from './begun-logins.js'
import { coded, createBoundedFetch } from './bounded-fetch.js'
import type { OAuth2 } from './provider-table.js'
import { readProfile, type Profile } from './read-profile.js'
import type { Provider } from './read-providers.js'
import { tidyTokens } from './token-answers.js'

export type ProviderClient = ReturnType<typeof createProviderClient>

/** After how long a provider is asked for its configuration again. In ms. */
const configurationLifeMs = 3_600_000

type Options = Readonly<{
  /** Longest that one answer may take. */
  timeoutMs: number
  now?: () => number
}>

/**
 * What is asked of one provider, by OpenID Connect or OAuth 2. Its configuration is fetched when it is first needed,
 * and kept; requests that need it at once fetch it once. Everything rejects with what `providerFailure` understands.
 */
export function createProviderClient(provider: Provider, { timeoutMs, now = Date.now }: Options) {
  const fetch = createBoundedFetch(timeoutMs)
  let known: Readonly<{ configuration: Promise<Configuration>; at: number }> | undefined
  const configured = (): Promise<Configuration> => {
    if (known !== undefined && now() - known.at < configurationLifeMs) return known.configuration
    const former = known?.configuration
    // What could not be fetched is asked for again, or stays what it was for another hour.
    const configuration = configure(provider, fetch).catch((error: unknown) => {
      if (former !== undefined) return former
      if (known === fresh) known = undefined
      throw error
    })
    const fresh = { configuration, at: now() }
    known = fresh
    return fresh.configuration
  }

  return {
    /** Where a browser is sent to begin a login. */
    loginUrl: async (login: BegunLogin, redirectUri: string): Promise<URL> => {
      const configuration = await configured()
      const { protocol } = provider.row
      const isOpenId = protocol.kind === 'openid-connect'
      const url = buildAuthorizationUrl(configuration, {
        ...(isOpenId && protocol.parameters),
        ...(isOpenId && protocol.nonce && { nonce: login.nonce }),
        ...(configuration.serverMetadata().supportsPKCE() && {
          code_challenge: await calculatePKCECodeChallenge(login.verifier),
          code_challenge_method: 'S256',
        }),
        redirect_uri: redirectUri,
        scope: provider.scope,
        state: login.state,
      })
      if (!isSecureAddress(url)) throw coded('NOT_HTTPS')
      return url
    },

    /** Who has logged in: the code that came back (`answer`, the address with it) is exchanged, and worth nothing then. */
    profile: async (login: BegunLogin, answer: URL): Promise<Profile> => {
      const configuration = await configured()
      const { protocol } = provider.row
      const isOpenId = protocol.kind === 'openid-connect'
      // Without an agreed name of itself there is nothing that it could be compared with.
      if (!isOpenId) answer.searchParams.delete('iss')
      const tokens = await authorizationCodeGrant(configuration, answer, {
        expectedState: login.state,
        idTokenExpected: isOpenId,
        ...(isOpenId && protocol.nonce && { expectedNonce: login.nonce }),
        ...(configuration.serverMetadata().supportsPKCE() && { pkceCodeVerifier: login.verifier }),
      })
      return isOpenId
        ? openIdProfile(provider, configuration, tokens)
        : oauthProfile(provider, protocol, configuration, tokens)
    },
  }
}

type Fetch = ReturnType<typeof createBoundedFetch>

async function configure(provider: Provider, fetch: Fetch): Promise<Configuration> {
  const { row, issuer, clientId, clientSecret } = provider
  const { protocol } = row
  const configuration =
    protocol.kind === 'oauth2'
      ? new Configuration(serverOf(protocol), clientId, undefined, ClientSecretPost(clientSecret))
      : await discovery(new URL(issuer), clientId, undefined, inTheWayItTakes(clientSecret), {
          [customFetch]: fetch,
          execute: [allowInsecureRequests, enableNonRepudiationChecks],
        })
  if (protocol.kind === 'openid-connect' && protocol.looseTokens !== true) return configuration
  // `fetch` decides which addresses are secure enough, here and above.
  allowInsecureRequests(configuration)
  configuration[customFetch] = tidyTokens(fetch, configuration.serverMetadata().token_endpoint)
  return configuration
}

/** As a server of OpenID Connect would describe itself. */
const serverOf = ({ authorizeUrl, tokenUrl, pkce }: OAuth2): ServerMetadata => ({
  issuer: new URL(authorizeUrl).origin,
  authorization_endpoint: authorizeUrl,
  token_endpoint: tokenUrl,
  code_challenge_methods_supported: pkce ? ['S256'] : [],
})

/** In the body, or in the header where a provider does not take it there. */
const inTheWayItTakes =
  (secret: string): ClientAuth =>
  (server, ...rest) => {
    const known = server.token_endpoint_auth_methods_supported
    const inBody = known?.includes('client_secret_post') === true
    return (inBody ? ClientSecretPost(secret) : ClientSecretBasic(secret))(server, ...rest)
  }

type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers

/** By the id token; what it leaves open, the provider is asked for. */
async function openIdProfile(
  { row, trustEmail }: Provider,
  configuration: Configuration,
  tokens: Tokens,
): Promise<Profile> {
  const claims = tokens.claims()
  const profile = readProfile(row, [claims])
  const isEnough = profile.verified || (trustEmail && profile.email !== undefined)
  const asksFor = configuration.serverMetadata().userinfo_endpoint
  if (claims === undefined || isEnough || asksFor === undefined) return profile
  const more = await fetchUserInfo(configuration, tokens.access_token, claims.sub)
  return readProfile(row, [claims, more])
}

async function oauthProfile(
  { row }: Provider,
  { profileUrl, emailsUrl }: OAuth2,
  configuration: Configuration,
  tokens: Tokens,
): Promise<Profile> {
  if (profileUrl === undefined) return readProfile(row, [tokens])
  const get = async (url: string): Promise<unknown> => {
    const address = new URL(url)
    const { access_token: token } = tokens
    const headers = new Headers({ Accept: 'application/json' })
    const response = await fetchProtectedResource(
      configuration,
      token,
      address,
      'GET',
      null,
      headers,
    )
    if (response.status !== 200) throw coded(`STATUS_${response.status}`)
    return response.json()
  }
  const profile = await get(profileUrl)
  if (emailsUrl === undefined || !isObject(profile)) return readProfile(row, [profile])
  const emails = await get(emailsUrl)
  const isPrimary = (one: unknown) => objectOf(one).primary === true
  const primary = Array.isArray(emails) ? (emails.find(isPrimary) as unknown) : undefined
  return readProfile(row, [{ ...profile, primary }])
}
