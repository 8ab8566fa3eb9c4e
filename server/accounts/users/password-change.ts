import { object, ref, string } from 'yup'
import { fail } from '../../../engine/errors.js'
import { inStage } from '../../../engine/timeline.js'
import { emailRule } from '../email-rule.js'
import { passwordRule } from '../password-rule.js'
import { reply } from '../../http/route.js'
import { validateSecretBody } from '../../http/request/validate-body.js'
import type { AuthHandler, AuthParts } from './auth-parts.js'
import { verifyPassword } from '../passwords.js'
import { logUserIn } from './sessions/log-user-in.js'
import { redeemCode, rewriteUser } from './redeem-code.js'
import type { Account } from './user-accounts.js'
import type { WriteTiming } from './user-writes.js'

const confirmation = string()
  .required()
  .oneOf([ref('password')], 'Passwords do not match')

/** Body of `POST /api/auth/change-password`. */
export const changeBody = object({
  passwordConfirmation: confirmation,
  password: passwordRule.required(),
  currentPassword: string().required(),
})

/** Body of `POST /api/auth/reset-password`. */
export const resetBody = object({
  password: passwordRule.required(),
  passwordConfirmation: confirmation,
  code: string().required(),
})

/** Body of requests for a mail: `POST /api/auth/forgot-password`, `/api/auth/send-email-confirmation`. */
export const emailBody = object({ email: emailRule.required() })

/** `POST /api/auth/change-password`. Invalidates the caller's earlier JWTs. */
export const changePassword: AuthHandler = async (parts, request) => {
  const { report } = parts
  const { caller } = request
  if (caller.kind !== 'user')
    throw fail('application', 'You must be authenticated to reset your password')
  const { currentPassword, password } = validateSecretBody(changeBody, request.body)
  const { id } = caller.user
  await replacePassword(parts, id, { currentPassword, password }, request)
  report('password-changed', request, { user: id })
  await parts.sessions?.end(id)
  return logUserIn(parts, id, request)
}

/** Verifies and replaces a password. Of concurrent requests with the same current password, only one succeeds. */
const replacePassword = (
  parts: AuthParts,
  id: number,
  { currentPassword, password }: Readonly<{ currentPassword: string; password: string }>,
  request: WriteTiming,
): Promise<unknown> =>
  rewriteUser(parts, request, async () => {
    const account = await parts.accounts.findById(id)
    if (account === undefined) throw fail('unauthorized')
    const matches = await inStage(request.timeline, 'password', () =>
      verifyPassword(account.password, currentPassword),
    )
    if (!matches) throw fail('validation', 'The provided current password is invalid')
    if (currentPassword === password) {
      throw fail('validation', 'Your new password must be different than your current password')
    }
    return [account, { password, resetPasswordToken: null }]
  })

/** `POST /api/auth/forgot-password`. The response is the same for unknown addresses. */
export const forgotPassword: AuthHandler = async (parts, request) => {
  const { email } = validateSecretBody(emailBody, request.body)
  const account = await parts.accounts.findByEmail(email)
  if (account?.blocked === false) parts.codes.send('reset-password', account)
  return reply(200, { ok: true })
}

/** `POST /api/auth/reset-password` */
export const resetPassword: AuthHandler = async (parts, request) => {
  const { report } = parts
  const { code, password } = validateSecretBody(resetBody, request.body)
  const worth = ({ blocked }: Account) => {
    if (blocked) throw fail('application', 'Your account has been blocked by an administrator')
    // The mailed code proves access to the address, so the address counts as confirmed.
    return { password, confirmed: true, resetPasswordToken: null }
  }
  const account = await redeemCode(parts, 'reset-password', code, worth, request)
  if (account === undefined) throw fail('validation', 'Incorrect code provided')
  report('password-reset', request, { user: account.id })
  await parts.sessions?.end(account.id)
  return logUserIn(parts, account.id, request)
}
