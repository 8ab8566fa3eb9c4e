import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client'
import { fail } from '../../../engine/errors.js'
import { text } from '../../http/routes/json-schemas.js'
import { queryParameter } from '../../http/documented.js'
import { granted, reply, type HttpRequest, type Reply, type Route } from '../../http/route.js'
import { routesOf } from '../../http/routes/routes-of.js'
import { isSameText } from '../texts.js'
import { createProviderClient } from './provider-client.js'
import {
  withProviderErrors,
  redirectUri,
  type ConnectParts,
  type ConnectStep,
} from './connect-parts.js'
import { limitConcurrency } from './limit-concurrency.js'
import { loggedIn } from '../users/auth-routes.js'
import { noStore, logUserIn } from '../users/sessions/log-user-in.js'
import type { BegunLogin } from './begun-logins.js'
import type { Provider } from './read-providers.js'
import { userOfProfile } from './provider-users.js'

/**
 * Routes of provider logins (docs/internals/decisions.md, "Login by providers"): `/api/connect/:provider` sends a
 * browser to the provider. The provider sends it back to `/api/connect/:provider/callback`, which redirects it to the
 * front end. The front end finishes the login with `/api/auth/:provider/callback`.
 */
export function connectRoutes(parts: ConnectParts): readonly Route[] {
  const timeoutMs = parts.settings['auth.providerTimeoutMs']
  const clients = new Map(
    [...parts.providers].map(([name, provider]) => [
      name,
      { provider, client: createProviderClient(provider, { timeoutMs }) },
    ]),
  )
  const limited = limitConcurrency(maxConversations)
  const connectRoute = (path: string, of: string, step: ConnectStep, callsExternal: boolean) => {
    const run = async (request: HttpRequest): Promise<Reply> => {
      const enabled = clients.get(request.params.provider ?? '')
      if (enabled === undefined) throw fail('application', 'This provider is disabled')
      return step(parts, enabled, request)
    }
    return {
      guard: granted(`users-permissions.auth.${of}`),
      // Limit attempts only by IP address. An office may share one address, so this limit is ten times the usual one.
      // States and tickets cannot be guessed.
      attempts: { of: path, identifier: () => undefined },
      callsExternal,
      handle: callsExternal ? (request: HttpRequest) => limited(() => run(request)) : run,
    }
  }
  return routesOf(
    { guard: 'open', tag: 'Authentication' },
    {
      'GET /api/connect/:provider': {
        id: 'connect',
        summary: 'Redirect a browser to a login provider',
        query: [
          queryParameter(
            'callback',
            'One of the configured pages, to which the browser returns',
            text,
          ),
        ],
        answers: { 302: 'empty' },
        errors: [502],
        ...connectRoute('/api/connect/:provider', 'connect', beginLogin, true),
      },
      'GET /api/connect/:provider/callback': {
        id: 'takeLoginBack',
        summary: 'Callback address for login providers',
        answers: { 302: 'empty' },
        errors: [502],
        ...connectRoute('/api/connect/:provider/callback', 'connect', takeLoginBack, true),
      },
      'GET /api/auth/:provider/callback': {
        id: 'finishLogin',
        summary: 'Log in with the parameters that the page received',
        query: [{ name: 'access_token', description: 'Of the page', schema: text, required: true }],
        answer: loggedIn,
        ...connectRoute('/api/auth/:provider/callback', 'callback', finishLogin, false),
      },
    },
  )
}

const maxConversations = 100

/** `GET /api/connect/:provider` */
const beginLogin: ConnectStep = async (parts, { provider, client }, { search }) => {
  const login: BegunLogin = {
    provider: provider.name,
    state: randomState(),
    nonce: randomNonce(),
    verifier: randomPKCECodeVerifier(),
    redirect: redirectOf(provider, new URLSearchParams(search).get('callback')),
  }
  const url = await withProviderErrors(parts, provider, {}, () =>
    client.loginUrl(login, redirectUri(parts, provider)),
  )
  return reply(302, undefined, {
    ...noStore,
    Location: url.href,
    'Set-Cookie': await parts.begun.keep(login),
  })
}

/** Returns the requested page, which must be a configured one; default: the first. */
function redirectOf({ name, redirects }: Provider, requested: string | null): string {
  const [usual = '/'] = redirects
  if (requested === null) return usual
  if (redirects.includes(requested)) return requested
  throw fail(
    'validation',
    `callback must be one of the addresses in auth.providers.${name}.redirect`,
  )
}

/** `GET /api/auth/:provider/callback` */
const finishLogin: ConnectStep = async (parts, { provider }, request) => {
  const ticket = new URLSearchParams(request.search).get('access_token') ?? ''
  if (ticket === '') throw fail('application', 'No access_token.')
  const profile = await parts.tickets.redeem(provider.name, ticket)
  const about = { provider: provider.name }
  if (profile === undefined) {
    parts.report('login-failed', request, { ...about, user: null })
    throw fail(
      'application',
      `The access_token was not issued by this service for ${provider.name}, or it has expired`,
    )
  }
  const id = await userOfProfile(parts, provider, profile, request)
  parts.report('login', request, { ...about, user: id })
  return logUserIn(parts, id, request)
}

/** `GET /api/connect/:provider/callback` */
const takeLoginBack: ConnectStep = async (parts, { provider, client }, { headers, search }) => {
  const { begun, tickets } = parts
  const cookies = { ...noStore, 'Set-Cookie': begun.forget() }
  const answer = new URL(redirectUri(parts, provider))
  answer.search = search
  const login = await begun.find(headers)
  const isOurs =
    login?.provider === provider.name &&
    isSameText(login.state, answer.searchParams.get('state') ?? '') &&
    (await tickets.takeState(provider.name, login.state))
  // Keep the cookie: another tab may need it.
  if (!isOurs) {
    throw fail(
      'validation',
      'This login was not started in this browser, or has expired. Start it again',
      undefined,
      noStore,
    )
  }
  const error = answer.searchParams.get('error')
  if (error !== null) {
    const code = /^\w{1,60}$/.test(error) ? error : 'server_error'
    return reply(302, undefined, { ...cookies, Location: withParameter(login, 'error', code) })
  }
  const profile = await withProviderErrors(parts, provider, cookies, () =>
    client.profile(login, answer),
  )
  const ticket = await tickets.issue(provider.name, profile)
  const location = withParameter(login, 'access_token', ticket)
  return reply(302, undefined, { ...cookies, Location: location })
}

/** Appends a parameter at the end of the address, even behind `#`, as Strapi's clients expect. */
const withParameter = ({ redirect }: BegunLogin, name: string, value: string): string =>
  `${redirect}${redirect.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`
