import { providerSettings } from './provider-settings.js'
import { choice, flag, integer, type Setting } from './setting-kinds.js'

/** Rows of `settingsTable` for users and their logins. */
export const authSettings = {
  'auth.registration': choice(['open', 'closed'], 'open', 'Whether anybody can register as a user'),
  'auth.emailConfirmation': flag(
    true,
    'Whether new users must confirm their e-mail address before they log in. It needs `email.url`',
  ),
  'auth.rateLimit.max': integer(
    10,
    1,
    'Maximum number of attempts per minute on the auth routes, per IP address and identifier. Per address alone it is ten times as many',
  ),
  'auth.mode': choice(
    ['legacy', 'refresh'],
    'legacy',
    'How users stay logged in: with one long-lived JWT (`legacy`), or in sessions with short-lived JWTs that a refresh token renews (`refresh`)',
  ),
  'auth.jwtExpiresInS': integer(2_592_000, 60, "Lifetime of a user's JWT without a session", 's'),
  'auth.sessions.accessExpiresInS': integer(600, 30, 'Lifetime of a JWT of a session', 's'),
  'auth.sessions.idleExpiresInS': integer(
    604_800,
    60,
    'Time after which a session ends if it is not refreshed',
    's',
  ),
  'auth.sessions.maxExpiresInS': integer(2_592_000, 60, 'Maximum lifetime of a session', 's'),
  'auth.sessions.httpOnly': flag(
    false,
    'Whether refresh tokens are sent in a cookie that scripts cannot read, instead of the response body',
  ),
  ...providerSettings,
} satisfies Record<string, Setting>
