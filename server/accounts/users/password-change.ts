import { object, ref, string } from 'yup'
import { emailAddress, emailRule } from '../../../engine/values/email-address.js'
import { fail } from '../../../engine/errors.js'
import { inStage } from '../../../engine/timeline.js'
import { passwordRule } from '../password-rule.js'
import { reply } from '../../http/route.js'
import { validateSecretBody } from '../../http/validate-body.js'
import type { AuthHandler, AuthParts } from './auth-parts.js'
import { verifyPassword } from '../passwords.js'
import { logUserIn } from './sessions/log-user-in.js'
import { redeemCode } from './redeem-code.js'
import type { Account } from './user-accounts.js'
import type { Asked } from './user-writes.js'

const confirmation = string()
  .required()
  .oneOf([ref('password')], 'Passwords do not match')

/** Of `POST /api/auth/change-password`. */
export const changeBody = object({
  passwordConfirmation: confirmation,
  password: passwordRule.required(),
  currentPassword: string().required(),
})

/** Of `POST /api/auth/reset-password`. */
export const resetBody = object({
  password: passwordRule.required(),
  passwordConfirmation: confirmation,
  code: string().required(),
})

/** Of `POST /api/auth/forgot-password`. */
export const forgotBody = object({ email: string().matches(emailAddress, emailRule).required() })

/** `POST /api/auth/change-password`: of the user who calls; ends the JWTs they have. */
export const changePassword: AuthHandler = async (parts, request) => {
  const { report } = parts
  const { caller } = request
  if (caller.kind !== 'user')
    throw fail('application', { message: 'You must be authenticated to reset your password' })
  const { currentPassword, password } = validateSecretBody(changeBody, request.body)
  const { id } = caller.user
  await replacePassword(parts, id, { currentPassword, password }, request)
  report('password-changed', request, { user: id })
  await parts.sessions?.end(id)
  return logUserIn(parts, id, request)
}

const maxAttempts = 5

/**
 * Writes a password in the place of the one that was verified: of requests that bring the same current password at
 * once one is let through, and the others are refused as if they had come after it.
 */
async function replacePassword(
  { accounts, writes }: AuthParts,
  id: number,
  { currentPassword, password }: Readonly<{ currentPassword: string; password: string }>,
  request: Asked,
): Promise<void> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const account = await accounts.findById(id)
    if (account === undefined) throw fail('unauthorized')
    const matches = await inStage(request.timeline, 'password', () =>
      verifyPassword(account.password, currentPassword),
    )
    if (!matches) throw fail('validation', { message: 'The provided current password is invalid' })
    if (currentPassword === password) {
      const message = 'Your new password must be different than your current password'
      throw fail('validation', { message })
    }
    const data = { password, resetPasswordToken: null }
    if (await writes.updateUnchanged(account, data, request)) return
  }
  throw fail('conflict')
}

/** `POST /api/auth/forgot-password`: says the same whether or not somebody has the address. */
export const forgotPassword: AuthHandler = async (parts, request) => {
  const { accounts, writes, codes, mail } = parts
  const { email } = validateSecretBody(forgotBody, request.body)
  const account = await accounts.findByEmail(email)
  if (account?.blocked === false)
    mail.send('reset-password', account, async () => {
      const { code, stored } = codes.make('reset-password', account.documentId, resetMs)
      await writes.update(account, { resetPasswordToken: stored })
      return code
    })
  return reply(200, { ok: true })
}

const resetMs = 3_600_000

/** `POST /api/auth/reset-password`: a code that was mailed is worth a new password, once. */
export const resetPassword: AuthHandler = async (parts, request) => {
  const { report } = parts
  const { code, password } = validateSecretBody(resetBody, request.body)
  const worth = ({ blocked }: Account) => {
    if (blocked)
      throw fail('application', { message: 'Your account has been blocked by an administrator' })
    // Who has the code reads what is sent to the address.
    return { password, confirmed: true }
  }
  const account = await redeemCode(parts, 'reset-password', code, worth, request)
  if (account === undefined) throw fail('validation', { message: 'Incorrect code provided' })
  report('password-reset', request, { user: account.id })
  await parts.sessions?.end(account.id)
  return logUserIn(parts, account.id, request)
}
