import { object, string } from 'yup'
import { fail } from '../../engine/errors.js'
import { passwordRule } from '../http/password-rule.js'
import { reply } from '../http/route.js'
import { strangersOf, validateBody } from '../http/validate-body.js'
import type { AuthHandler } from './auth-parts.js'
import { verifyPassword } from './passwords.js'

const loginBody = object({
  identifier: string().required(),
  password: string().required(),
})

const registerBody = object({
  email: string().email().max(254).required(),
  username: string().min(3).max(255).required(),
  password: passwordRule.required(),
})

/** `POST /api/auth/local`. */
export const logIn: AuthHandler = async ({ accounts, writes }, request) => {
  const { identifier, password } = validateBody(loginBody, request.body)
  const account = await accounts.findByIdentifier(identifier)
  const matches = await verifyPassword(account?.password, password)
  if (account === undefined || !matches)
    throw fail('validation', { message: 'Invalid identifier or password' })
  if (account.blocked)
    throw fail('application', { message: 'Your account has been blocked by an administrator' })
  return reply(200, await writes.openSession(account.id))
}

/** `POST /api/auth/local/register`: a user of the role `authenticated`. */
export const register: AuthHandler = async (parts, request) => {
  const { settings, roles, writes } = parts
  if (settings['auth.registration'] === 'closed')
    throw fail('application', { message: 'Register action is currently disabled' })
  const strangers = strangersOf(registerBody, request.body)
  if (strangers.length > 0)
    throw fail('validation', { message: `Invalid parameters: ${strangers.join(', ')}` })
  const { email, ...rest } = validateBody(registerBody, request.body)
  const role = (await roles.get()).byType.get('authenticated')
  if (role === undefined)
    throw fail('application', { message: 'Impossible to find the default role' })
  const data = { ...rest, email: email.toLowerCase(), role, ...registered }
  return reply(200, await writes.openSession(await writes.register(data)))
}

// Without e-mail there is nothing to confirm.
const registered = { provider: 'local', confirmed: true, blocked: false }
