import type { Signals } from '../signals/signals.js'
import type { AdminCallers } from './admins/admin-callers.js'
import type { RoleGrantStore } from './roles/role-grants.js'
import type { TokenCallers } from './tokens/token-callers.js'
import type { Sessions } from './users/sessions/sessions.js'
import type { UserCallers } from './users/user-callers.js'

/** What is kept of credentials, by the collection that it was read from. */
type Kept = Readonly<{
  roles: Pick<RoleGrantStore, 'changed'>
  users: Pick<UserCallers, 'changed'>
  tokens: Pick<TokenCallers, 'changed'>
  admins: Pick<AdminCallers, 'changed'>
  sessions?: Pick<Sessions, 'changed'> | undefined
}>

/** Forgets what is kept of credentials when it was written, whoever wrote it. */
export function followCredentials(
  { follow }: Signals,
  { roles, users, tokens, admins, sessions }: Kept,
): void {
  follow('roles', 'credentials', () => roles.changed())
  follow('users', 'credentials', ({ id }) => users.changed(numberOrAny(id)))
  follow('admin_users', 'credentials', ({ id }) => admins.changed(numberOrAny(id)))
  follow('_api_tokens', 'credentials', ({ fields }) => {
    // Noted once a minute, and nothing that anybody decides by.
    if (fields?.length !== 1 || fields[0] !== 'lastUsedAt') tokens.changed()
  })
  if (sessions !== undefined)
    follow('_sessions', 'credentials', ({ id }) =>
      sessions.changed(typeof id === 'string' ? id : undefined),
    )
}

const numberOrAny = (id: unknown): number | undefined => (typeof id === 'number' ? id : undefined)
