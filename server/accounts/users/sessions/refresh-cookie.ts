import type { IncomingHttpHeaders } from 'node:http'
import { fail } from '../../../../engine/errors.js'
import type { Settings } from '../../../settings/settings.js'

/** Name of the cookie, as in Strapi. */
const cookieName = 'strapi_up_refresh'

/**
 * Returns a `Set-Cookie` header with a refresh token that scripts cannot read. Without `text`, the header deletes the
 * cookie.
 */
export function refreshCookie(settings: Settings, text = ''): string {
  const isSecure = settings['http.publicUrl'].startsWith('https://')
  const life = text === '' ? 0 : settings['auth.sessions.maxExpiresInS']
  const attributes = `Path=/; Max-Age=${life}; HttpOnly; SameSite=Lax`
  return `${cookieName}=${text}; ${attributes}${isSecure ? '; Secure' : ''}`
}

/**
 * Reads the refresh token from a request's cookie. The characters of a token need no decoding. Malformed values are
 * ignored.
 */
export const readRefreshCookie = ({ cookie = '' }: IncomingHttpHeaders): string | undefined =>
  /(?:^|;\s*)strapi_up_refresh=([\w.-]{1,200})(?:;|$)/.exec(cookie)?.[1]

/** Returns whether to send refresh tokens in a cookie, because of the setting or because the client requests it. */
export const wantsCookie = (settings: Settings, headers: IncomingHttpHeaders): boolean =>
  settings['auth.sessions.httpOnly'] || headers['x-strapi-refresh-cookie'] === 'httpOnly'

/**
 * Checks the `Origin` header, so that a page of another site can neither use a visitor's cookie nor plant its own.
 * Clients other than browsers send no `Origin`.
 * @throws 403 for an origin that is neither the service's own nor in `cors.origins`
 */
export function checkOrigin(settings: Settings, { origin, host }: IncomingHttpHeaders): void {
  if (origin === undefined || settings['cors.origins'].includes(origin)) return
  const own = settings['http.publicUrl']
  if (own !== '' && URL.canParse(own) && new URL(own).origin === origin) return
  if (URL.canParse(origin) && new URL(origin).host === host) return
  throw fail(
    'forbidden-because',
    'Cookies are available only to pages of the origins in cors.origins',
  )
}
