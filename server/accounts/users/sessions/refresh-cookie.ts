import type { IncomingHttpHeaders } from 'node:http'
import { fail } from '../../../../engine/errors.js'
import type { Settings } from '../../../settings/settings.js'

/** The cookie's name in Strapi. */
const cookieName = 'strapi_up_refresh'

/** Returns a `Set-Cookie` header for a cookie that scripts cannot read. Without `text`, it deletes the cookie. */
export function refreshCookie(settings: Settings, text = ''): string {
  const isSecure = settings['http.publicUrl'].startsWith('https://')
  const life = text === '' ? 0 : settings['auth.sessions.maxExpiresInS']
  const attributes = `Path=/; Max-Age=${life}; HttpOnly; SameSite=Lax`
  return `${cookieName}=${text}; ${attributes}${isSecure ? '; Secure' : ''}`
}

/** Returns the token in the cookie. Ignores malformed values. The characters of a token need no decoding. */
export const readRefreshCookie = ({ cookie = '' }: IncomingHttpHeaders): string | undefined =>
  /(?:^|;\s*)strapi_up_refresh=([\w.-]{1,200})(?:;|$)/.exec(cookie)?.[1]

/** Returns whether to send refresh tokens in a cookie. */
export const wantsCookie = (settings: Settings, headers: IncomingHttpHeaders): boolean =>
  settings['auth.sessions.httpOnly'] || headers['x-strapi-refresh-cookie'] === 'httpOnly'

/**
 * Throws 403 for an origin that is neither the service's own nor in `cors.origins`, so that other sites can neither use
 * a visitor's cookie nor plant one. Only browsers send `Origin`.
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
