import type { Logger } from 'pino'
import { ResponseBodyError } from 'openid-client'
import { ApiError, fail } from '../../../engine/errors.js'
import type { HttpRequest, Reply, HeaderTexts } from '../../http/route.js'
import type { AuthParts } from '../users/auth-parts.js'
import type { ProviderClient } from './provider-client.js'
import type { BegunLogins } from './begun-logins.js'
import { Unreachable } from './bounded-fetch.js'
import type { LoginTickets } from './login-tickets.js'
import type { Provider } from './read-providers.js'
import type { ProviderName } from '../../settings/provider-settings.js'

/** What the steps of a provider login need. */
export type ConnectParts = AuthParts &
  Readonly<{
    providers: ReadonlyMap<string, Provider>
    begun: BegunLogins
    tickets: LoginTickets
    log: Logger
    /** URL of the API for browsers, without a slash at the end. */
    apiUrl: string
  }>

export type ConnectStep = (
  parts: ConnectParts,
  enabled: Readonly<{ provider: Provider; client: ProviderClient }>,
  request: HttpRequest,
) => Promise<Reply>

/** Returns the URL to which the provider sends browsers back. */
export const redirectUri = ({ apiUrl }: ConnectParts, { name }: Provider): string =>
  `${apiUrl}/connect/${name}/callback`

/** Runs a request to a provider. Logs failures by code, and throws an error without details. */
export async function withProviderErrors<T>(
  { log }: ConnectParts,
  { name }: Provider,
  headers: HeaderTexts,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof ApiError) throw error
    const code = codeOf(error)
    log.warn({ event: 'provider-failed', provider: name, code }, 'A login with a provider failed')
    throw providerFailure(name, error, code, headers)
  }
}

/** Maps a failure: 400 for an invalid code, 503 for an unreachable provider, 502 for an unusable response. */
function providerFailure(
  provider: ProviderName,
  error: unknown,
  code: string,
  headers: HeaderTexts,
): ApiError {
  if (error instanceof ResponseBodyError && error.error === 'invalid_grant') {
    return fail(
      'validation',
      `The login with ${provider} has expired or was already used. Start it again`,
      undefined,
      headers,
    )
  }
  if (code === 'OAUTH_TIMEOUT' || chainOf(error).some((one) => one instanceof Unreachable)) {
    return fail('unavailable', `${provider} cannot be reached at present. Try again`, undefined, {
      ...headers,
      'Retry-After': '5',
    })
  }
  return fail('bad-gateway', `${provider} sent a response that cannot be used`, undefined, headers)
}

/** Returns an error code that the protocol, the library or Node defines. Other strings may contain secrets. */
function codeOf(error: unknown): string {
  const codes = chainOf(error).flatMap((one) => [
    one instanceof ResponseBodyError ? one.error : undefined,
    (one as Error & { code?: unknown }).code,
  ])
  const known = codes.find((code) => typeof code === 'string' && /^\w{1,60}$/.test(code))
  return typeof known === 'string' ? known : 'unknown'
}

function chainOf(error: unknown): readonly Error[] {
  const chain: Error[] = []
  for (let one = error; one instanceof Error && chain.length < 5; one = one.cause) chain.push(one)
  return chain
}
