import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client'
import { fail } from '../../../engine/errors.js'
import { reply } from '../../http/route.js'
import { noStore } from '../users/sessions/log-user-in.js'
import type { BegunLogin } from './begun-logins.js'
import { asking, redirectUri, type ConnectStep } from './connect-parts.js'
import type { Provider } from './read-providers.js'

/** `GET /api/connect/:provider`: sends a browser to the provider. */
export const beginLogin: ConnectStep = async (parts, { provider, client }, { search }) => {
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
