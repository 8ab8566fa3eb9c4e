import { randomUUID } from 'node:crypto'
import { fail } from '../../../../engine/errors.js'
import { objectOf } from '../../../../engine/values/is-object.js'
import { reply, type HttpRequest, type Json, type Reply } from '../../../http/route.js'
import type { AuthParts } from '../auth-parts.js'
import { checkOrigin, refreshCookie, wantsCookie } from './refresh-cookie.js'
import type { OpenSession } from './sessions.js'

/** Returns `{ jwt, user }`. With `auth.mode=refresh`, adds a refresh token in the body or a cookie. */
export async function logUserIn(
  { accounts, writes, jwts, sessions, settings }: AuthParts,
  id: number,
  request: HttpRequest,
): Promise<Reply> {
  const account = await accounts.findById(id)
  if (account === undefined) throw fail('not-found')
  const user = await writes.show(id, request.timeline)
  if (sessions === undefined)
    return reply(200, { jwt: await jwts.sign('user', id, account.password), user }, noStore)
  // Check the origin before the session is created: otherwise, a rejected login would leave an unused session.
  const inCookie = wantsCookie(settings, request.headers)
  if (inCookie) checkOrigin(settings, request.headers)
  const deviceId = deviceOf(request.body) ?? randomUUID()
  const session = await sessions.open(account, deviceId)
  const jwt = await jwts.sign('user', id, account.password, session.sessionId)
  return answerTokens({ settings, inCookie }, { jwt, user }, session)
}

/** Returns a response with the refresh token in the body or a cookie. */
export function answerTokens(
  { settings, inCookie }: Readonly<{ settings: AuthParts['settings']; inCookie: boolean }>,
  { jwt, ...rest }: Readonly<{ jwt: string; user?: Json }>,
  { refreshToken }: OpenSession,
): Reply {
  if (!inCookie) return reply(200, { jwt, refreshToken, ...rest }, noStore)
  const cookie = { 'Set-Cookie': refreshCookie(settings, refreshToken) }
  return reply(200, { jwt, ...rest }, { ...noStore, ...cookie })
}

/** Returns the client's name for its device. Invalid names are ignored, as in Strapi. */
export function deviceOf(body: unknown): string | undefined {
  const { deviceId } = objectOf(body)
  return typeof deviceId === 'string' && /^[\x20-\x7e]{1,255}$/.test(deviceId)
    ? deviceId
    : undefined
}

/** Keeps caches from storing a token. */
export const noStore = { 'Cache-Control': 'no-store' }
