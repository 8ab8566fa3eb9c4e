import { providerSettings } from './provider-settings.js'
import { choice, flag, integer, type Setting } from './setting-kinds.js'

/** Rows of `settingsTable` for users and their logins. */
export const authSettings = {
  'auth.registration': choice(['open', 'closed'], 'open', 'Whether anybody may register a user'),
  'auth.emailConfirmation': flag(
    true,
    'Whether a new user must confirm the address first; only where `email.url` is set',
  ),
  'auth.rateLimit.max': integer(
    10,
    1,
    'Attempts a minute per address and identifier on the auth routes; ten times as many per address',
  ),
  'auth.mode': choice(
    ['legacy', 'refresh'],
    'legacy',
    'How users are logged in: by a JWT alone, or in sessions, with short JWTs that a refresh token renews',
  ),
  'auth.jwtExpiresInS': integer(2_592_000, 60, "Life of a user's JWT, outside of sessions", 's'),
  'auth.sessions.accessExpiresInS': integer(600, 30, 'Life of a JWT of a session', 's'),
  'auth.sessions.idleExpiresInS': integer(
    604_800,
    60,
    'How long a session lasts that nobody refreshes',
    's',
  ),
  'auth.sessions.maxExpiresInS': integer(2_592_000, 60, 'How long any session lasts at most', 's'),
  'auth.sessions.httpOnly': flag(
    false,
    'Whether refresh tokens go into a cookie that scripts cannot read, and not into answers',
  ),
  ...providerSettings,
} satisfies Record<string, Setting>
