import { fail } from '../../../../engine/errors.js'
import { objectOf } from '../../../../engine/values/is-object.js'
import { flag, members, object, text } from '../../../http/routes/json-schemas.js'
import { granted, reply, type HttpRequest, type Reply, type Route } from '../../../http/route.js'
import { routesOf } from '../../../http/routes/routes-of.js'
import type { AuthParts } from '../auth-parts.js'
import { answerTokens, deviceOf } from './log-user-in.js'
import { checkOrigin, readRefreshCookie, refreshCookie, wantsCookie } from './refresh-cookie.js'
import type { Sessions } from './sessions.js'

/**
 * Routes `/api/auth/refresh` and `/api/auth/logout` (docs/internals/decisions.md, "Sessions"). They exist only with
 * `auth.mode=refresh`.
 */
export function sessionRoutes(parts: AuthParts): readonly Route[] {
  const { sessions } = parts
  if (sessions === undefined) return []
  return routesOf(
    // The refresh token suffices; no permission is needed.
    { guard: 'open', tag: 'Authentication' },
    {
      'POST /api/auth/refresh': {
        id: 'refreshSession',
        summary: 'Get a new JWT for a refresh token in the body or in a cookie',
        body: { ...object, properties: { refreshToken: text } },
        bodyOptional: true,
        answer: members({ jwt: text }, { refreshToken: text }),
        errors: [401, 403],
        attempts: {
          of: 'refresh',
          identifier: ({ body, headers }) => sessions.sessionOf(tokenOf(body, headers) ?? '') ?? '',
        },
        handle: (request) => refresh(parts, sessions, request),
      },
      'POST /api/auth/logout': {
        id: 'logOut',
        summary: 'End this session, all sessions of a device, or all sessions',
        guard: granted('users-permissions.auth.logout'),
        body: { ...object, properties: { deviceId: text, scope: { enum: ['all'] } } },
        bodyOptional: true,
        answer: members({ ok: flag }),
        handle: (request) => logOut(parts, sessions, request),
      },
    },
  )
}

async function refresh(
  { settings, accounts, jwts, report }: AuthParts,
  sessions: Sessions,
  request: HttpRequest,
): Promise<Reply> {
  const { body, headers } = request
  const isFromCookie = bodyToken(body) === undefined
  const text = tokenOf(body, headers)
  if (text === undefined) throw fail('bad-request', 'Missing refresh token')
  const inCookie = isFromCookie || wantsCookie(settings, headers)
  if (inCookie) checkOrigin(settings, headers)
  const refreshed = await sessions.refresh(text)
  if (refreshed === 'reused') report('session-reused', request)
  const account =
    typeof refreshed === 'string' ? undefined : await accounts.findById(refreshed.user)
  if (typeof refreshed === 'string' || account === undefined)
    throw fail('unauthorized-because', 'Invalid refresh token')
  const jwt = await jwts.sign('user', account.id, account.password, refreshed.sessionId)
  return answerTokens({ settings, inCookie }, { jwt }, refreshed)
}

/**
 * Ends the session of the JWT, the user's sessions on a device (`deviceId`), or all sessions of the user (`scope:
 * "all"`).
 */
async function logOut(
  { settings, report }: AuthParts,
  sessions: Sessions,
  request: HttpRequest,
): Promise<Reply> {
  const { caller, body, headers } = request
  if (caller.kind !== 'user' || caller.session === undefined)
    throw fail('unauthorized-because', 'Missing authentication')
  const { id } = caller.user
  const isAll = objectOf(body).scope === 'all'
  const deviceId = deviceOf(body)
  const one = deviceId === undefined ? { _id: caller.session } : { deviceId }
  await sessions.end(id, isAll ? {} : one)
  report('logout', request, { user: id })
  const hasCookie = readRefreshCookie(headers) !== undefined || wantsCookie(settings, headers)
  return reply(200, { ok: true }, hasCookie ? { 'Set-Cookie': refreshCookie(settings) } : undefined)
}

const tokenOf = (body: unknown, headers: HttpRequest['headers']): string | undefined =>
  bodyToken(body) ?? readRefreshCookie(headers)

function bodyToken(body: unknown): string | undefined {
  const token = objectOf(body).refreshToken
  return typeof token === 'string' && token !== '' ? token : undefined
}
