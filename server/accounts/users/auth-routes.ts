import type { Schema } from 'yup'
import { builtIn } from '../../../engine/schema/registry.js'
import { flag, members, text } from '../../http/json-schemas.js'
import { byBody, type Attempts, type Route } from '../../http/route.js'
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
import type { Documented, EntrySchemas, JsonSchema } from '../../http/documented.js'

/**
 * Registration, login and passwords of `/api/auth` (docs/decisions.md, "Users"; shapes as in
 * docs/coming-from-strapi.md, "Credentials").
 */
export function authRoutes(parts: AuthParts): readonly Route[] {
  const route = (
    method: Route['method'],
    path: string,
    attempts: Attempts,
    documented: Documented,
    handler: AuthHandler,
  ): Route => ({
    method,
    path: `/api/auth/${path}`,
    guard: { kind: 'content', action: `plugin::users-permissions.auth.${attempts.of}` },
    attempts,
    documented,
    handle: (request) => handler(parts, request),
  })
  return [
    route(
      'POST',
      'local',
      byBody('callback', 'identifier'),
      logsIn('logIn', 'Log in with a name or an address, and a password', loginBody),
      logIn,
    ),
    route(
      'POST',
      'local/register',
      byBody('register', 'email'),
      {
        id: 'register',
        summary: 'Become a user',
        tag,
        body: registerBody,
        answers: { 200: registered },
      },
      register,
    ),
    route(
      'POST',
      'change-password',
      byCaller('changePassword'),
      logsIn('changePassword', 'Change the password of the user who calls', changeBody),
      changePassword,
    ),
    route(
      'POST',
      'forgot-password',
      byBody('forgotPassword', 'email'),
      {
        id: 'forgetPassword',
        summary: 'Have a code for a new password mailed',
        tag,
        body: forgotBody,
        answers: { 200: members({ ok: flag }) },
      },
      forgotPassword,
    ),
    route(
      'POST',
      'reset-password',
      byAddress('resetPassword'),
      logsIn('resetPassword', 'Choose a new password by a code', resetBody),
      resetPassword,
    ),
    route(
      'GET',
      'email-confirmation',
      byAddress('emailConfirmation'),
      {
        id: 'confirmEmail',
        summary: 'Confirm an address by the code that was mailed',
        tag,
        query: [{ name: 'confirmation', description: 'The code', schema: text, required: true }],
        answers: { 302: 'empty' },
      },
      confirmEmail,
    ),
    route(
      'POST',
      'send-email-confirmation',
      byBody('sendEmailConfirmation', 'email'),
      {
        id: 'sendEmailConfirmation',
        summary: 'Have the code that confirms an address mailed again',
        tag,
        body: sendBody,
        answers: { 200: members({ email: text, sent: flag }) },
      },
      sendConfirmation,
    ),
    ...sessionRoutes(parts),
  ]
}

const byAddress = (of: string): Attempts => ({ of, identifier: () => '' })

const byCaller = (of: string): Attempts => ({
  of,
  identifier: ({ caller }) => (caller.kind === 'user' ? String(caller.user.id) : ''),
})

const tag = 'Authentication'
/** `{ jwt, user }`; with sessions also a refresh token, unless it is in a cookie. */
export const loggedIn = ({ entry }: EntrySchemas): JsonSchema =>
  members({ jwt: text, user: entry(builtIn.user) }, { refreshToken: text })
/** No JWT before the address is confirmed. */
const registered = ({ entry }: EntrySchemas): JsonSchema =>
  members({ user: entry(builtIn.user) }, { jwt: text, refreshToken: text })
const logsIn = (id: string, summary: string, body: Schema): Documented => ({
  id,
  summary,
  tag,
  body,
  answers: { 200: loggedIn },
})
