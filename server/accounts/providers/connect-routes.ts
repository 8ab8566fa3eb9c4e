import { fail } from '../../../engine/errors.js'
import { text } from '../../http/json-schemas.js'
import type { HttpRequest, Route } from '../../http/route.js'
import { createProviderClient } from './ask-provider.js'
import { beginLogin } from './begin-login.js'
import type { ConnectParts, Enabled } from './connect-parts.js'
import { finishLogin } from './finish-login.js'
import { inParallel } from './in-parallel.js'
import { takeLoginBack } from './take-login-back.js'
import { loggedIn } from '../users/auth-routes.js'

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
  const route = (
    path: string,
    of: string,
    rest: Pick<Route, 'handle' | 'asksOthers' | 'documented'>,
  ): Route => ({
    method: 'GET',
    path,
    guard: { kind: 'content', action: `plugin::users-permissions.auth.${of}` },
    // States and tickets cannot be guessed, and a whole office may have one address.
    attempts: { of: path, identifier: () => undefined },
    ...rest,
  })
  return [
    route('/api/connect/:provider', 'connect', {
      documented: {
        id: 'connect',
        summary: 'Send a browser to a provider of logins',
        tag,
        query: [
          {
            name: 'callback',
            description: 'Which of the configured pages is led to',
            schema: text,
          },
        ],
        answers: { 302: 'empty' },
        errors: [502],
      },
      asksOthers: true,
      handle: (request) => limited(() => beginLogin(parts, enabled(request), request)),
    }),
    route('/api/connect/:provider/callback', 'connect', {
      documented: {
        id: 'takeLoginBack',
        summary: 'Where a provider sends the browser back to',
        tag,
        answers: { 302: 'empty' },
        errors: [502],
      },
      asksOthers: true,
      handle: (request) => limited(() => takeLoginBack(parts, enabled(request), request)),
    }),
    route('/api/auth/:provider/callback', 'callback', {
      documented: {
        id: 'finishLogin',
        summary: 'Log in with what the page was called with',
        tag,
        query: [{ name: 'access_token', description: 'Of the page', schema: text, required: true }],
        answers: { 200: loggedIn },
      },
      handle: (request) => finishLogin(parts, enabled(request), request),
    }),
  ]
}

/** Logins that may be talked about with providers at a time. */
const maxConversations = 100

const tag = 'Authentication'
