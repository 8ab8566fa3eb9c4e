import type { Logger } from 'pino'
import type { Caller } from './caller.js'

export type Report = ReturnType<typeof createSecurityLog>

/**
 * Logs security events as `{ event, request, address, by, … }`. `about` may contain only ids and names that the service
 * defines. A string from a client might be a password typed into the wrong field.
 */
export const createSecurityLog =
  (log: Logger) =>
  (
    event: keyof typeof events,
    { id, ip, caller }: Readonly<{ id: string; ip: string; caller: Caller }>,
    about?: Readonly<Record<string, string | number | null | readonly string[]>>,
  ): void => {
    const line = { event, request: id, address: ip, by: nameOf(caller), ...about }
    log[failures.has(event) ? 'warn' : 'info'](line, events[event])
  }

function nameOf(caller: Caller): string {
  switch (caller.kind) {
    case 'public':
      return 'public'
    case 'user':
      return `user ${caller.user.id}`
    case 'token':
      return `API token ${caller.token.id}`
    case 'admin':
      return `admin ${caller.admin.id}`
  }
}

const failures: ReadonlySet<string> = new Set([
  'login-failed',
  'session-reused',
  'admin-login-failed',
])

const events = {
  login: 'A user logged in',
  'login-failed': 'A login of a user failed',
  logout: 'A user logged out',
  'session-reused': 'A refresh token was used twice, so its session was ended',
  'user-registered': 'A user was registered',
  'user-created': 'A user was created',
  'user-changed': 'A user was changed',
  'user-removed': 'A user was deleted',
  'email-confirmed': 'A user confirmed an e-mail address',
  'password-changed': 'A user changed their password',
  'password-reset': 'A user set a new password with a code',
  'admin-login': 'An admin logged in',
  'admin-login-failed': 'A login of an admin failed',
  'admin-registered': 'An admin was registered',
  'admin-created': 'An admin was created',
  'admin-invited': 'An admin was invited',
  'admin-changed': 'An admin was changed',
  'admin-password-reset': 'An admin set a new password with a code',
  'admin-removed': 'An admin was deleted',
  'token-created': 'An API token was created',
  'token-changed': 'An API token was changed',
  'token-regenerated': 'An API token got a new key',
  'token-removed': 'An API token was deleted',
  'role-created': 'A role was created',
  'role-changed': 'A role was changed',
  'role-removed': 'A role was deleted',
}
