import { object, string } from 'yup'
import { fail } from '../../engine/errors.js'
import { reply } from '../http/route.js'
import { validateBody } from '../http/validate-body.js'
import type { AuthHandler } from './auth-parts.js'

const sendBody = object({ email: string().email().required() })

const purpose = 'email-confirmation'

/** `GET /api/auth/email-confirmation?confirmation=<code>`, the address in the mail; leads to the front page. */
export const confirmEmail: AuthHandler = async (parts, request) => {
  const { accounts, writes, codes } = parts
  const code = new URLSearchParams(request.search).get('confirmation') ?? ''
  const account = await accounts.findByDocumentId(codes.documentIdOf(code))
  const stored = account?.confirmationToken ?? null
  if (account === undefined || !codes.matches(purpose, code, stored))
    throw fail('validation', { message: 'Invalid token' })
  await writes.update(account, { confirmed: true, confirmationToken: null })
  return reply(302, undefined, { Location: '/' })
}

/** `POST /api/auth/send-email-confirmation`. */
export const sendConfirmation: AuthHandler = async (parts, request) => {
  const { accounts, writes, codes, deliver } = parts
  const { email } = validateBody(sendBody, request.body)
  const account = await accounts.findByEmail(email)
  if (account?.confirmed === true) throw fail('application', { message: 'Already confirmed' })
  if (account?.blocked === true) throw fail('application', { message: 'User blocked' })
  if (account !== undefined && deliver !== undefined) {
    const { code, stored } = codes.make(purpose, account.documentId, confirmationMs)
    await writes.update(account, { confirmationToken: stored })
    await deliver({ purpose, email: account.email, username: account.username, code })
  }
  return reply(200, { email: email.toLowerCase(), sent: true })
}

const confirmationMs = 7 * 86_400_000
