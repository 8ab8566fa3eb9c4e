import type { Schema } from 'yup'
import { builtIn } from '../../../engine/schema/registry.js'
import { flag, members, text } from '../../http/routes/json-schemas.js'
import {
  byAddress,
  byBody,
  granted,
  type Attempts,
  type HttpRequest,
  type Route,
} from '../../http/route.js'
import { routesOf } from '../../http/routes/routes-of.js'
import type { AuthHandler, AuthParts } from './auth-parts.js'
import { confirmEmail, sendConfirmation, sendBody } from './email-confirmation.js'
import { logIn, register, loginBody, registerBody } from './log-in.js'
import { sessionRoutes } from './sessions/session-routes.js'
import {
  changePassword,
  forgotPassword,
  resetPassword,
  changeBody,
  forgotBody,
  resetBody,
} from './password-change.js'
import type { EntrySchemas, JsonSchema } from '../../http/documented.js'

/**
 * Routes for registration, login and passwords below `/api/auth` (docs/decisions.md, "Users"; bodies as in
 * docs/coming-from-strapi.md, "Credentials").
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
        ...logsIn('Log in with a name or an address, and a password', loginBody),
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
        ...logsIn('Change the password of the user who calls', changeBody),
        ...authRoute(byCaller('changePassword'), changePassword),
      },
      'POST /api/auth/forgot-password': {
        id: 'forgetPassword',
        summary: 'Have a code for a new password mailed',
        body: forgotBody,
        answer: members({ ok: flag }),
        ...authRoute(byBody('forgotPassword', 'email'), forgotPassword),
      },
      'POST /api/auth/reset-password': {
        id: 'resetPassword',
        ...logsIn('Choose a new password by a code', resetBody),
        ...authRoute(byAddress('resetPassword'), resetPassword),
      },
      'GET /api/auth/email-confirmation': {
        id: 'confirmEmail',
        summary: 'Confirm an address by the code that was mailed',
        query: [{ name: 'confirmation', description: 'The code', schema: text, required: true }],
        answers: { 302: 'empty' },
        ...authRoute(byAddress('emailConfirmation'), confirmEmail),
      },
      'POST /api/auth/send-email-confirmation': {
        id: 'sendEmailConfirmation',
        summary: 'Have the code that confirms an address mailed again',
        body: sendBody,
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

/** `{ jwt, user }`. With sessions also a refresh token, unless it is in a cookie. */
export const loggedIn = ({ entry }: EntrySchemas): JsonSchema =>
  members({ jwt: text, user: entry(builtIn.user) }, { refreshToken: text })
/** Without a JWT if the address must be confirmed first. */
const registered = ({ entry }: EntrySchemas): JsonSchema =>
  members({ user: entry(builtIn.user) }, { jwt: text, refreshToken: text })
