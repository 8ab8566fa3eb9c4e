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

const configurationLifeMs = 3_600_000

type Options = Readonly<{
  /** Time limit of a response, in ms. */
  timeoutMs: number
  now?: () => number
}>

/**
 * Creates a client for OpenID Connect or OAuth 2. Fetches the provider's configuration when first needed, and only once
 * for concurrent requests. Methods reject with errors that `providerFailure` understands.
 */
export function createProviderClient(provider: Provider, { timeoutMs, now = Date.now }: Options) {
  const fetch = createBoundedFetch(timeoutMs)
  let known: Readonly<{ configuration: Promise<Configuration>; at: number }> | undefined
  const configured = (): Promise<Configuration> => {
    if (known !== undefined && now() - known.at < configurationLifeMs) return known.configuration
    const previous = known?.configuration
    // If a refresh fails, keep the previous configuration for another hour.
    const configuration = configure(provider, fetch).catch((error: unknown) => {
      if (previous !== undefined) return previous
      if (known === fresh) known = undefined
      throw error
    })
    const fresh = { configuration, at: now() }
    known = fresh
    return fresh.configuration
  }

  return {
    /** Returns the provider's login page for a browser. */
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

    /** Redeems the code in `answer`, the callback's URL. A code works only once. */
    profile: async (login: BegunLogin, answer: URL): Promise<Profile> => {
      const configuration = await configured()
      const { protocol } = provider.row
      const isOpenId = protocol.kind === 'openid-connect'
      // Plain OAuth 2 has no agreed issuer to compare `iss` with.
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
      : await discovery(new URL(issuer), clientId, undefined, clientAuth(clientSecret), {
          [customFetch]: fetch,
          execute: [allowInsecureRequests, enableNonRepudiationChecks],
        })
  if (protocol.kind === 'openid-connect' && protocol.looseTokens !== true) return configuration
  // `fetch` checks addresses itself, so disable the library's https check here and in `discovery`.
  allowInsecureRequests(configuration)
  configuration[customFetch] = tidyTokens(fetch, configuration.serverMetadata().token_endpoint)
  return configuration
}

/** Imitates the result of OpenID Connect discovery. */
const serverOf = ({ authorizeUrl, tokenUrl, pkce }: OAuth2): ServerMetadata => ({
  issuer: new URL(authorizeUrl).origin,
  authorization_endpoint: authorizeUrl,
  token_endpoint: tokenUrl,
  code_challenge_methods_supported: pkce ? ['S256'] : [],
})

/** Sends the client secret in the body, or in the `Authorization` header if the provider does not support the body. */
const clientAuth =
  (secret: string): ClientAuth =>
  (server, ...rest) => {
    const known = server.token_endpoint_auth_methods_supported
    const inBody = known?.includes('client_secret_post') === true
    return (inBody ? ClientSecretPost(secret) : ClientSecretBasic(secret))(server, ...rest)
  }

type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers

/** Reads the id token, and the userinfo endpoint if the id token contains no trusted e-mail address. */
async function openIdProfile(
  { row, trustEmail }: Provider,
  configuration: Configuration,
  tokens: Tokens,
): Promise<Profile> {
  const claims = tokens.claims()
  const profile = readProfile(row, [claims])
  const isEnough = profile.verified || (trustEmail && profile.email !== undefined)
  const userInfoUrl = configuration.serverMetadata().userinfo_endpoint
  if (claims === undefined || isEnough || userInfoUrl === undefined) return profile
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
