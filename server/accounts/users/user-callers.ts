import { createBriefCache } from '../brief-cache.js'
import type { Caller } from '../caller.js'
import type { Jwts } from '../jwt.js'
import type { RoleGrantStore } from '../roles/role-grants.js'
import type { Sessions } from './sessions/sessions.js'
import type { Account, UserAccounts } from './user-accounts.js'

export type UserCallers = ReturnType<typeof createUserCallers>

type Dependencies = Readonly<{
  accounts: UserAccounts
  jwts: Jwts
  roles: RoleGrantStore
  /** Whether JWTs of users with an unconfirmed address are rejected. */
  confirmation: boolean
  /** Set if `auth.mode=refresh`: every JWT then belongs to a session. */
  sessions?: Pick<Sessions, 'isActive'> | undefined
}>

/**
 * Identifies users by JWT. Users have exactly their role's permissions (docs/internals/decisions.md, "Permissions are
 * given one by one").
 */
export function createUserCallers({ accounts, jwts, roles, confirmation, sessions }: Dependencies) {
  const cache = createBriefCache<number, Account>({ load: accounts.findById })
  return {
    /**
     * Returns undefined if the JWT is invalid, the password has changed since the JWT was issued, or the user is
     * blocked or unconfirmed.
     */
    find: async (jwt: string): Promise<Caller | undefined> => {
      const subject = await jwts.verify('user', jwt)
      if (subject === undefined) return undefined
      const { session } = subject
      // Reject JWTs from the other `auth.mode`: without a session, a JWT could not be revoked.
      if ((session === undefined) !== (sessions === undefined)) return undefined
      if (session !== undefined && (await sessions?.isActive(session)) !== true) return undefined
      const account = await cache.get(subject.id)
      if (account === undefined || account.blocked) return undefined
      if (confirmation && !account.confirmed) return undefined
      if (!jwts.isCurrent(subject, account.password)) return undefined
      const { grants, none } = await roles.get()
      const { id, documentId, username } = account
      return {
        kind: 'user',
        grant: (account.role === null ? undefined : grants.get(account.role)) ?? none,
        user: { id, documentId, username },
        session,
      }
    },
    changed: cache.forget,
  }
}
