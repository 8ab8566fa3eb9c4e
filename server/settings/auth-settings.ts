import { providerSettings } from './provider-settings.js'
import type { Setting } from './setting-kinds.js'
import { choice, flag, integer } from './setting-kinds.js'

/** The rows of `settingsTable` about users and how they are logged in. */
export const authSettings = {
  'auth.registration': choice(['open', 'closed'], 'open', 'Whether anybody may register a user'),
  'auth.emailConfirmation': flag(
    true,
    'Whether a new user must confirm the address first; only where `email.url` is set',
  ),
  'auth.rateLimit.max': integer(
    10,
    1,
    'Attempts a minute per address and identifier on the auth routes',
  ),
  'auth.rateLimit.maxPerAddress': integer(
    100,
    1,
    'The same per address, whomever the attempts are about; never less than `auth.rateLimit.max`',
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
  'auth.providerTimeoutMs': integer(
    5000,
    1,
    'Longest that a provider of logins may take for one answer; beyond it 503',
    'ms',
    60_000,
  ),
  ...providerSettings,
} satisfies Record<string, Setting>
