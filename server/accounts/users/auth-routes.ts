import { byBody, type Attempts, type Route } from '../../http/route.js'
import type { AuthHandler, AuthParts } from './auth-parts.js'
import { confirmEmail, sendConfirmation } from './email-confirmation.js'
import { logIn, register } from './log-in.js'
import { sessionRoutes } from './sessions/session-routes.js'
import { changePassword, forgotPassword, resetPassword } from './password-change.js'

/**
 * Registration, login and passwords of `/api/auth` (docs/decisions.md, "Users"; shapes as in
 * docs/coming-from-strapi.md, "Credentials").
 */
export function authRoutes(parts: AuthParts): readonly Route[] {
  const route = (
    method: Route['method'],
    path: string,
    attempts: Attempts,
    handler: AuthHandler,
  ): Route => ({
    method,
    path: `/api/auth/${path}`,
    guard: { kind: 'content', action: `plugin::users-permissions.auth.${attempts.of}` },
    attempts,
    handle: (request) => handler(parts, request),
  })
  return [
    route('POST', 'local', byBody('callback', 'identifier'), logIn),
    route('POST', 'local/register', byBody('register', 'email'), register),
    route('POST', 'change-password', byCaller('changePassword'), changePassword),
    route('POST', 'forgot-password', byBody('forgotPassword', 'email'), forgotPassword),
    route('POST', 'reset-password', byAddress('resetPassword'), resetPassword),
    route('GET', 'email-confirmation', byAddress('emailConfirmation'), confirmEmail),
    route(
      'POST',
      'send-email-confirmation',
      byBody('sendEmailConfirmation', 'email'),
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
