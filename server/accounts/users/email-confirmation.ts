import { object, string } from 'yup'
import { fail } from '../../../engine/errors.js'
import { emailRule } from '../email-rule.js'
import { reply } from '../../http/route.js'
import { validateSecretBody } from '../../http/request/validate-body.js'
import type { AuthHandler } from './auth-parts.js'
import { redeemCode } from './redeem-code.js'

/** Body of `POST /api/auth/send-email-confirmation`. */
export const sendBody = object({ email: emailRule.required() })

const confirmQuery = object({ confirmation: string().required() })

const purpose = 'email-confirmation'

/** `GET /api/auth/email-confirmation?confirmation=<code>`, the link in the mail. Redirects to `email.confirmedUrl`. */
export const confirmEmail: AuthHandler = async (parts, request) => {
  const { settings, report } = parts
  const given = new URLSearchParams(request.search).get('confirmation') ?? undefined
  const { confirmation: code } = validateSecretBody(confirmQuery, { confirmation: given })
  const worth = () => ({ confirmed: true, confirmationToken: null })
  const account = await redeemCode(parts, purpose, code, worth, request)
  if (account === undefined) throw fail('validation', 'Invalid token')
  report('email-confirmed', request, { user: account.id })
  return reply(302, undefined, { Location: settings['email.confirmedUrl'] })
}

/**
 * `POST /api/auth/send-email-confirmation`. It reveals confirmed addresses only while registration is open, because
 * registration reveals them anyway.
 */
export const sendConfirmation: AuthHandler = async (parts, request) => {
  const { email } = validateSecretBody(sendBody, request.body)
  const account = await parts.accounts.findByEmail(email)
  if (account?.confirmed === true && parts.settings['auth.registration'] === 'open')
    throw fail('application', 'Already confirmed')
  if (account?.confirmed === false && !account.blocked) parts.codes.send(purpose, account)
  return reply(200, { email: email.toLowerCase(), sent: true })
}
