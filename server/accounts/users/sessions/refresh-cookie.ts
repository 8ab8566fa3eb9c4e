import type { IncomingHttpHeaders } from 'node:http'
import { fail } from '../../../../engine/errors.js'
import type { Settings } from '../../../settings/settings.js'

/** The name that Strapi's clients know. */
const cookieName = 'strapi_up_refresh'

/** `Set-Cookie` with a refresh token, which scripts cannot read. Without `text` the cookie is taken back. */
export function refreshCookie(settings: Settings, text = ''): string {
  const isSecure = settings['http.publicUrl'].startsWith('https://')
  const life = text === '' ? 0 : settings['auth.sessions.maxExpiresInS']
  const attributes = `Path=/; Max-Age=${life}; HttpOnly; SameSite=Lax`
  return `${cookieName}=${text}; ${attributes}${isSecure ? '; Secure' : ''}`
}

/** The refresh token of a request's cookie. Its alphabet needs no decoding; a cookie of another form is none. */
export const readRefreshCookie = ({ cookie = '' }: IncomingHttpHeaders): string | undefined =>
  /(?:^|;\s*)strapi_up_refresh=([\w.-]{1,200})(?:;|$)/.exec(cookie)?.[1]

/** Whether tokens are to go into a cookie: always, or for a client that asks for it. */
export const wantsCookie = (settings: Settings, headers: IncomingHttpHeaders): boolean =>
  settings['auth.sessions.httpOnly'] || headers['x-strapi-refresh-cookie'] === 'httpOnly'

/**
 * A page of another site must neither use the cookie of who looks at it, nor plant one of its own: browsers say in
 * `Origin` whose page it is. What is no browser sends none.
 * @throws 403 for a page of an origin that is neither the service's own nor named by `cors.origins`
 */
export function checkOrigin(settings: Settings, { origin, host }: IncomingHttpHeaders): void {
  if (origin === undefined || settings['cors.origins'].includes(origin)) return
  const own = settings['http.publicUrl']
  if (own !== '' && URL.canParse(own) && new URL(own).origin === origin) return
  if (URL.canParse(origin) && new URL(origin).host === host) return
  throw fail(
    'forbidden-because',
    'Cookies are given to and taken from pages of the origins in cors.origins alone',
  )
}
