import { object, string } from 'yup'
import { fail } from '../../../engine/errors.js'
import { inStage } from '../../../engine/timeline.js'
import { hashPassword } from '../../../engine/write/rules/hash-password.js'
import { emailRule } from '../email-rule.js'
import { passwordRule } from '../password-rule.js'
import { reply, type HttpRequest } from '../../http/route.js'
import { normalUsername, usernameRule } from './username-rule.js'
import { unknownKeysOf, validateSecretBody } from '../../http/request/validate-body.js'
import type { AuthHandler, AuthParts } from './auth-parts.js'
import { logUserIn } from './sessions/log-user-in.js'
import { verifyPassword } from '../passwords.js'
import { isLegacyHash } from '../legacy-hashes.js'
import type { Account } from './user-accounts.js'

/** Body of `POST /api/auth/local`. */
export const loginBody = object({
  identifier: string().required(),
  password: string().required(),
})

/** Body of `POST /api/auth/local/register`. */
export const registerBody = object({
  email: emailRule.max(254).required(),
  username: usernameRule.required(),
  password: passwordRule.required(),
})

/** `POST /api/auth/local` */
export const logIn: AuthHandler = async (parts, request) => {
  const { accounts, confirmation, report } = parts
  const { identifier, password } = validateSecretBody(loginBody, request.body)
  const { timeline } = request
  const found = await inStage(timeline, 'authorize', () => accounts.findByIdentifier(identifier))
  // If the account has no attempts left, respond as for a wrong password: a 429 would reveal that a username and an
  // address belong to the same user. Count unknown identifiers too, so that their responses take equally long.
  const counted = found === undefined ? `name:${identifier}` : `user:${found.id}`
  const account = (await request.countsAccount?.(counted)) === false ? undefined : found
  const matches = await inStage(timeline, 'password', () =>
    verifyPassword(account?.password, password),
  )
  const usable = matches && account?.blocked === false && (account.confirmed || !confirmation)
  report(usable ? 'login' : 'login-failed', request, { user: account?.id ?? null })
  if (account === undefined || !matches) throw fail('validation', 'Invalid identifier or password')
  refuseUnusable(parts, account)
  if (isLegacyHash(account.password ?? '')) await renewHash(parts, account, password, request)
  return logUserIn(parts, account.id, request)
}

/** Replaces an imported hash with an argon2id hash. After a failure, the next login tries again. */
async function renewHash(
  { writes }: AuthParts,
  account: Account,
  password: string,
  { logError }: HttpRequest,
): Promise<void> {
  try {
    await writes.replaceHash(account, await hashPassword(password))
  } catch (error) {
    logError?.(error)
  }
}

/** Throws `application` for a user who is not allowed to log in. */
export function refuseUnusable({ confirmation }: AuthParts, { blocked, confirmed }: Account): void {
  if (blocked) throw fail('application', 'Your account has been blocked by an administrator')
  if (confirmation && !confirmed) throw fail('application', 'Your account email is not confirmed')
}

/** `POST /api/auth/local/register`. The response has no JWT if the address must be confirmed. */
export const register: AuthHandler = async (parts, request) => {
  const { settings, roles, writes, confirmation, report } = parts
  if (settings['auth.registration'] === 'closed')
    throw fail('application', 'Register action is currently disabled')
  const known = parts.sessions === undefined ? [] : ['deviceId']
  const unknownKeys = unknownKeysOf(registerBody, request.body).filter(
    (key) => !known.includes(key),
  )
  if (unknownKeys.length > 0)
    throw fail('validation', `Invalid parameters: ${unknownKeys.join(', ')}`)
  const { email, username, password } = validateSecretBody(registerBody, request.body)
  const role = await roles.defaultRole()
  const state = { provider: 'local', confirmed: !confirmation, blocked: false }
  const names = { email: email.toLowerCase(), username: normalUsername(username) }
  const id = await writes.register({ ...names, password, role, ...state }, request)
  report('user-registered', request, { user: id })
  if (!confirmation) return logUserIn(parts, id, request)
  const account = await parts.accounts.findById(id)
  if (account !== undefined) parts.codes.send('email-confirmation', account)
  return reply(200, { user: await writes.show(id, request.timeline) })
}
