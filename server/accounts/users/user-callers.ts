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
  /** Whether users must confirm their address before their JWTs are accepted. */
  confirmation: boolean
  /** Present if `auth.mode=refresh`. Every JWT then belongs to a session. */
  sessions?: Pick<Sessions, 'isActive'> | undefined
}>

/**
 * Identifies users by their JWT. A user has exactly the permissions of their role (docs/internals/decisions.md,
 * "Permissions are given one by one").
 */
export function createUserCallers({ accounts, jwts, roles, confirmation, sessions }: Dependencies) {
  const cache = createBriefCache<number, Account>({ load: accounts.findById })
  return {
    /**
     * Returns the user who sent the JWT. Returns undefined if the JWT is invalid, has expired or was issued before the
     * last change of the password, or if the user is blocked or unconfirmed.
     */
    find: async (jwt: string): Promise<Caller | undefined> => {
      const subject = await jwts.verify('user', jwt)
      if (subject === undefined) return undefined
      const { session } = subject
      // Reject JWTs that were issued in the other `auth.mode`: only a JWT with a session can be revoked before it
      // expires.
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
    /** Drops the user with this id from the cache; without an id, drops all users. */
    changed: cache.forget,
  }
}
