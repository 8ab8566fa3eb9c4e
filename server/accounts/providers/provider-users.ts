import { randomBytes } from 'node:crypto'
import { ApiError, fail } from '../../../engine/errors.js'
import type { HttpRequest } from '../../http/route.js'
import type { AuthParts } from '../users/auth-parts.js'
import { refuseUnusable } from '../users/log-in.js'
import { normalUsername, visibleUsername } from '../users/username-rule.js'
import type { Provider } from './read-providers.js'
import type { Profile } from './read-profile.js'

const maxAttempts = 3

/**
 * Returns the id of the user with the profile's e-mail address. Registers a user if there is none.
 * @throws `application` if the provider does not confirm the address, if the user is blocked or registered in another
 *   way, or if there is no user and registration is closed
 */
export async function userOfProfile(
  parts: AuthParts,
  provider: Provider,
  profile: Profile,
  request: HttpRequest,
): Promise<number> {
  const { settings, accounts, roles, writes, report } = parts
  const email = vouchedEmail(provider, profile)
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const account = await accounts.findByEmail(email)
    if (account !== undefined) {
      // The person who registered this account may not own the address, and must not share an account with its owner.
      if (account.provider !== provider.name) throw fail('application', 'Email is already taken.')
      refuseUnusable(parts, account)
      return account.id
    }
    if (settings['auth.registration'] === 'closed')
      throw fail('application', 'Register action is actually not available.')
    const role = await roles.defaultRole()
    const username = await freeUsername(parts, profile.username ?? '', email)
    const state = { provider: provider.name, confirmed: true, blocked: false }
    try {
      const id = await writes.register({ email, username, role, ...state }, request)
      report('user-registered', request, { user: id, provider: provider.name })
      return id
    } catch (error) {
      // Another request took the name or the address meanwhile, perhaps one of the same user from another tab. Try
      // again.
      if (!(error instanceof ApiError) || error.code !== 'application') throw error
    }
  }
  throw fail('conflict')
}

function vouchedEmail({ name, trustEmail }: Provider, { email, verified }: Profile): string {
  if (email === undefined) throw fail('application', 'Email was not available.')
  if (verified || trustEmail) return email
  throw fail('application', `${name} has not confirmed that the e-mail address is verified`)
}

/**
 * Returns the name at the provider, or the address before the `@`. Adds a random suffix if the result is taken or too
 * short.
 */
async function freeUsername(
  { accounts }: AuthParts,
  named: string,
  email: string,
): Promise<string> {
  // Users can log in with a username or an e-mail address, so a name with `@` could be somebody else's address.
  const [name = ''] = visibleUsername(named).split('@')
  const characters = Array.from(name.trim() || email.split('@')[0] || 'user')
  const base = normalUsername(characters.slice(0, 100).join('').trim())
  if (base.length >= 3 && !(await accounts.isTaken(base, email))) return base
  return `${base}-${randomBytes(4).toString('hex')}`
}
