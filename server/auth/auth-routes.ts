import type { Route } from '../http/route.js'
import type { AuthHandler, AuthParts } from './auth-parts.js'
import { confirmEmail, sendConfirmation } from './email-confirmation.js'
import { logIn, register } from './log-in.js'
import { changePassword, forgotPassword, resetPassword } from './password-change.js'
import type { RateLimit } from './rate-limit.js'

/** Registration, login and passwords of `/api/auth` (D27; shapes as in `strapi-facts.md` 13). */
export function authRoutes(parts: AuthParts, rateLimit: RateLimit): readonly Route[] {
  const route = (
    method: Route['method'],
    path: string,
    name: string,
    handler: AuthHandler,
  ): Route => ({
    method,
    path: `/api/auth/${path}`,
    guard: { kind: 'content', action: `plugin::users-permissions.auth.${name}` },
    // Counted by the route's name: a path can be written in several ways.
    handle: (request) =>
      handler(parts, request, (identifier) => rateLimit(name, request.ip, identifier)),
  })
  return [
    route('POST', 'local', 'callback', logIn),
    route('POST', 'local/register', 'register', register),
    route('POST', 'change-password', 'changePassword', changePassword),
    route('POST', 'forgot-password', 'forgotPassword', forgotPassword),
    route('POST', 'reset-password', 'resetPassword', resetPassword),
    route('GET', 'email-confirmation', 'emailConfirmation', confirmEmail),
    route('POST', 'send-email-confirmation', 'sendEmailConfirmation', sendConfirmation),
  ]
}
