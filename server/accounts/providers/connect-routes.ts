import { timingSafeEqual } from 'node:crypto'
import type { Logger } from 'pino'
import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client'
import { ApiError, fail } from '../../../engine/errors.js'
import { reply, type HttpRequest, type Reply, type Route } from '../../http/route.js'
import type { AuthParts } from '../users/auth-parts.js'
import { logUserIn, noStore } from '../users/sessions/log-user-in.js'
import { createProviderClient, type ProviderClient } from './ask-provider.js'
import type { BegunLogin, BegunLogins } from './begun-logins.js'
import type { LoginTickets } from './login-tickets.js'
import { providerFailure } from './provider-failure.js'
import { userOfProfile } from './provider-users.js'
import type { Provider } from './read-providers.js'

export type ConnectParts = AuthParts &
  Readonly<{
    providers: ReadonlyMap<string, Provider>
    begun: BegunLogins
    tickets: LoginTickets
    log: Logger
    /** Where browsers reach the service, without a slash at the end. */
    publicUrl: string
  }>

/**
 * Login by providers (docs/decisions.md, "Login by providers"): `/api/connect/:provider` sends a browser there, its
 * `/callback` takes it back and sends it on to the front end, which finishes with `/api/auth/:provider/callback`.
 */
export function connectRoutes(parts: ConnectParts): readonly Route[] {
  const timeoutMs = parts.settings['auth.providerTimeoutMs']
  const clients = new Map(
    [...parts.providers].map(([name, provider]) => [
      name,
      createProviderClient(provider, { timeoutMs }),
    ]),
  )
  const enabled = ({ params }: HttpRequest): Enabled => {
    const name = params['provider'] ?? ''
    const provider = parts.providers.get(name)
    const client = clients.get(name)
    if (provider === undefined || client === undefined)
      throw fail('application', { message: 'This provider is disabled' })
    return { provider, client }
  }
  const limited = inParallel(maxConversations)
  const route = (path: string, of: string, rest: Pick<Route, 'handle' | 'asksOthers'>): Route => ({
    method: 'GET',
    path,
    guard: { kind: 'content', action: `plugin::users-permissions.auth.${of}` },
    // States and tickets cannot be guessed, and a whole office may have one address.
    attempts: { of: path, identifier: () => undefined },
    ...rest,
  })
  return [
    route('/api/connect/:provider', 'connect', {
      asksOthers: true,
      handle: (request) => limited(() => begin(parts, enabled(request), request)),
    }),
    route('/api/connect/:provider/callback', 'connect', {
      asksOthers: true,
      handle: (request) => limited(() => takeBack(parts, enabled(request), request)),
    }),
    route('/api/auth/:provider/callback', 'callback', {
      handle: (request) => finish(parts, enabled(request), request),
    }),
  ]
}

type Enabled = Readonly<{ provider: Provider; client: ProviderClient }>

/** Logins that may be talked about with providers at a time. */
const maxConversations = 100

/** Runs so many at a time, and refuses more. */
function inParallel(max: number) {
  let running = 0
  return async (run: () => Promise<Reply>): Promise<Reply> => {
    if (running >= max) {
      const message = 'Too many logins are under way; try again'
      throw fail('unavailable', { message }, undefined, { 'Retry-After': '1' })
    }
    running += 1
    try {
      return await run()
    } finally {
      running -= 1
    }
  }
}

async function begin(
  parts: ConnectParts,
  { provider, client }: Enabled,
  { search }: HttpRequest,
): Promise<Reply> {
  const login: BegunLogin = {
    provider: provider.name,
    state: randomState(),
    nonce: randomNonce(),
    verifier: randomPKCECodeVerifier(),
    redirect: redirectOf(provider, new URLSearchParams(search).get('callback')),
  }
  const url = await asking(parts, provider, {}, () =>
    client.loginUrl(login, redirectUri(parts, provider)),
  )
  return reply(302, undefined, {
    ...noStore,
    Location: url.href,
    'Set-Cookie': await parts.begun.keep(login),
  })
}

/** The page that a client asks for, which must be one of the configured, letter by letter; or the first of these. */
function redirectOf({ name, redirects }: Provider, asked: string | null): string {
  const [usual = '/'] = redirects
  if (asked === null) return usual
  if (redirects.includes(asked)) return asked
  const message = `callback must be one of the addresses in auth.providers.${name}.redirect`
  throw fail('validation', { message })
}

const redirectUri = ({ publicUrl }: ConnectParts, { name }: Provider): string =>
  `${publicUrl}/api/connect/${name}/callback`

async function takeBack(
  parts: ConnectParts,
  { provider, client }: Enabled,
  { headers, search }: HttpRequest,
): Promise<Reply> {
  const { begun, tickets } = parts
  const cookies = { ...noStore, 'Set-Cookie': begun.forget() }
  const answer = new URL(redirectUri(parts, provider))
  answer.search = search
  const login = await begun.find(headers)
  const isOurs =
    login?.provider === provider.name &&
    isEqual(login.state, answer.searchParams.get('state') ?? '') &&
    (await tickets.takeState(provider.name, login.state))
  if (!isOurs) {
    const message = 'This login was not begun in this browser, or is over; begin again'
    throw fail('validation', { message }, undefined, cookies)
  }
  const error = answer.searchParams.get('error')
  if (error !== null) {
    const code = /^\w{1,60}$/.test(error) ? error : 'server_error'
    return reply(302, undefined, { ...cookies, Location: withParameter(login, 'error', code) })
  }
  const profile = await asking(parts, provider, cookies, () => client.profile(login, answer))
  const ticket = await tickets.issue(provider.name, profile)
  const location = withParameter(login, 'access_token', ticket)
  return reply(302, undefined, { ...cookies, Location: location })
}

async function finish(
  parts: ConnectParts,
  { provider }: Enabled,
  request: HttpRequest,
): Promise<Reply> {
  const ticket = new URLSearchParams(request.search).get('access_token') ?? ''
  if (ticket === '') throw fail('application', { message: 'No access_token.' })
  const profile = await parts.tickets.redeem(provider.name, ticket)
  const about = { provider: provider.name }
  if (profile === undefined) {
    parts.report('login-failed', request, { ...about, user: null })
    const message = `The access_token is none that this service gave for ${provider.name}, or it is over`
    throw fail('application', { message })
  }
  const id = await userOfProfile(parts, provider, profile, request)
  parts.report('login', request, { ...about, user: id })
  return logUserIn(parts, id, request)
}

/** Runs what asks a provider; of what goes wrong there, the log is told a code and the client a sentence. */
async function asking<T>(
  { log }: ConnectParts,
  { name }: Provider,
  headers: Readonly<Record<string, string>>,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof ApiError) throw error
    const { answer, code } = providerFailure(name, error, headers)
    log.warn({ event: 'provider-failed', provider: name, code }, 'A login by a provider failed')
    throw answer
  }
}

/** As Strapi's clients know it: behind whatever the address has, of a path behind `#` too. */
const withParameter = ({ redirect }: BegunLogin, name: string, value: string): string =>
  `${redirect}${redirect.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
