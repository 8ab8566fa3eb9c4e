import { timingSafeEqual } from 'node:crypto'
import { fail } from '../../../engine/errors.js'
import { reply } from '../../http/route.js'
import { noStore } from '../users/sessions/log-user-in.js'
import type { BegunLogin } from './begun-logins.js'
import { asking, redirectUri, type ConnectStep } from './connect-parts.js'

/** `GET /api/connect/:provider/callback`: takes a browser back from the provider, and sends it on to the front end. */
export const takeLoginBack: ConnectStep = async (
  parts,
  { provider, client },
  { headers, search },
) => {
  const { begun, tickets } = parts
  const cookies = { ...noStore, 'Set-Cookie': begun.forget() }
  const answer = new URL(redirectUri(parts, provider))
  answer.search = search
  const login = await begun.find(headers)
  const isOurs =
    login?.provider === provider.name &&
    isEqual(login.state, answer.searchParams.get('state') ?? '') &&
    (await tickets.takeState(provider.name, login.state))
  // The cookie stays, which another page of the browser may be waiting for.
  if (!isOurs) {
    const message = 'This login was not begun in this browser, or is over; begin again'
    throw fail('validation', { message }, undefined, noStore)
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

/** As Strapi's clients know it: behind whatever the address has, of a path behind `#` too. */
const withParameter = ({ redirect }: BegunLogin, name: string, value: string): string =>
  `${redirect}${redirect.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
