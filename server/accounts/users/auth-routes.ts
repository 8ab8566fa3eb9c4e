import { type Schema, object, string } from 'yup'
import { builtIn } from '../../../engine/schema/registry.js'
import { flag, members, text } from '../../http/routes/json-schemas.js'
import {
  byAddress,
  byBody,
  granted,
  type Attempts,
  type HttpRequest,
  type Route,
  reply,
} from '../../http/route.js'
import { routesOf } from '../../http/routes/routes-of.js'
import type { AuthHandler, AuthParts } from './auth-parts.js'
import { logIn, register, loginBody, registerBody } from './log-in.js'
import { sessionRoutes } from './sessions/session-routes.js'
import {
  changePassword,
  forgotPassword,
  resetPassword,
  changeBody,
  emailBody,
  resetBody,
} from './password-change.js'
import type { EntrySchemas, JsonSchema } from '../../http/documented.js'
import { fail } from '../../../engine/errors.js'
import { validateSecretBody } from '../../http/request/validate-body.js'
import { redeemCode } from './redeem-code.js'

const confirmQuery = object({ confirmation: string().required() })

const purpose = 'email-confirmation'

/** `GET /api/auth/email-confirmation?confirmation=<code>`, the link in the mail */
const confirmEmail: AuthHandler = async (parts, request) => {
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
 * `POST /api/auth/send-email-confirmation`. While registration is open, the response reveals whether an address is
 * confirmed, because registration would reveal that anyway. While it is closed, the response does not.
 */
const sendConfirmation: AuthHandler = async (parts, request) => {
  const { email } = validateSecretBody(emailBody, request.body)
  const account = await parts.accounts.findByEmail(email)
  if (account?.confirmed === true && parts.settings['auth.registration'] === 'open')
    throw fail('application', 'Already confirmed')
  if (account?.confirmed === false && !account.blocked) parts.codes.send(purpose, account)
  return reply(200, { email: email.toLowerCase(), sent: true })
}

/**
 * Routes for registration, login and passwords (docs/internals/decisions.md, "Users"). Bodies:
 * docs/internals/strapi-behaviour.md, "Credentials".
 */
export function authRoutes(parts: AuthParts): readonly Route[] {
  const authRoute = (attempts: Attempts, handler: AuthHandler) => ({
    guard: granted(`users-permissions.auth.${attempts.of}`),
    attempts,
    handle: (request: HttpRequest) => handler(parts, request),
  })
  const logsIn = (summary: string, body: Schema) => ({ summary, body, answer: loggedIn })
  const routes = routesOf(
    { guard: 'open', tag: 'Authentication' },
    {
      'POST /api/auth/local': {
        id: 'logIn',
        ...logsIn('Log in with a username or e-mail address, and a password', loginBody),
        ...authRoute(byBody('callback', 'identifier'), logIn),
      },
      'POST /api/auth/local/register': {
        id: 'register',
        summary: 'Become a user',
        body: registerBody,
        answer: registered,
        ...authRoute(byBody('register', 'email'), register),
      },
      'POST /api/auth/change-password': {
        id: 'changePassword',
        ...logsIn('Change the password of the calling user', changeBody),
        ...authRoute(byCaller('changePassword'), changePassword),
      },
      'POST /api/auth/forgot-password': {
        id: 'forgetPassword',
        summary: 'Request a mail with a code for a new password',
        body: emailBody,
        answer: members({ ok: flag }),
        ...authRoute(byBody('forgotPassword', 'email'), forgotPassword),
      },
      'POST /api/auth/reset-password': {
        id: 'resetPassword',
        ...logsIn('Set a new password with a code', resetBody),
        ...authRoute(byAddress('resetPassword'), resetPassword),
      },
      'GET /api/auth/email-confirmation': {
        id: 'confirmEmail',
        summary: 'Confirm an e-mail address with the mailed code',
        query: [{ name: 'confirmation', description: 'The code', schema: text, required: true }],
        answers: { 302: 'empty' },
        ...authRoute(byAddress('emailConfirmation'), confirmEmail),
      },
      'POST /api/auth/send-email-confirmation': {
        id: 'sendEmailConfirmation',
        summary: 'Request the confirmation mail again',
        body: emailBody,
        answer: members({ email: text, sent: flag }),
        ...authRoute(byBody('sendEmailConfirmation', 'email'), sendConfirmation),
      },
    },
  )
  return [...routes, ...sessionRoutes(parts)]
}

const byCaller = (of: string): Attempts => ({
  of,
  identifier: ({ caller }) => (caller.kind === 'user' ? String(caller.user.id) : ''),
})

/** Schema of `{ jwt, user }`. The refresh token is absent without sessions, or if it is sent in a cookie. */
export const loggedIn = ({ entry }: EntrySchemas): JsonSchema =>
  members({ jwt: text, user: entry(builtIn.user) }, { refreshToken: text })
/** Schema of the response to a registration, without a JWT if the address must be confirmed first. */
const registered = ({ entry }: EntrySchemas): JsonSchema =>
  members({ user: entry(builtIn.user) }, { jwt: text, refreshToken: text })
