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
import type { Documented } from '../../http/documented.js'
import { authDescriptions as told } from './auth-descriptions.js'

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
    route('POST', 'local', byBody('callback', 'identifier'), told.logIn(loginBody), logIn),
    route(
      'POST',
      'local/register',
      byBody('register', 'email'),
      told.register(registerBody),
      register,
    ),
    route(
      'POST',
      'change-password',
      byCaller('changePassword'),
      told.changePassword(changeBody),
      changePassword,
    ),
    route(
      'POST',
      'forgot-password',
      byBody('forgotPassword', 'email'),
      told.forgotPassword(forgotBody),
      forgotPassword,
    ),
    route(
      'POST',
      'reset-password',
      byAddress('resetPassword'),
      told.resetPassword(resetBody),
      resetPassword,
    ),
    route(
      'GET',
      'email-confirmation',
      byAddress('emailConfirmation'),
      told.confirmEmail,
      confirmEmail,
    ),
    route(
      'POST',
      'send-email-confirmation',
      byBody('sendEmailConfirmation', 'email'),
      told.sendConfirmation(sendBody),
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
