import { fullGrant } from '../../../engine/schema/grant.js'
import { createBriefCache } from '../brief-cache.js'
import type { AdminAccount, AdminAccounts } from './admin-accounts.js'
import type { Caller } from '../caller.js'
import type { Jwts } from '../jwt.js'

export type AdminCallers = ReturnType<typeof createAdminCallers>

/** Identifies admins by JWT. Every admin has all permissions (docs/internals/decisions.md, "Admins are apart"). */
export function createAdminCallers(accounts: AdminAccounts, jwts: Jwts) {
  const cache = createBriefCache<number, AdminAccount>({ load: accounts.findById })
  return {
    /**
     * Returns undefined if the JWT is invalid, the password has changed since it was issued, or the admin is blocked or
     * inactive.
     */
    find: async (jwt: string): Promise<Caller | undefined> => {
      const subject = await jwts.verify('admin', jwt)
      if (subject === undefined) return undefined
      const account = await cache.get(subject.id)
      if (account === undefined || account.blocked || !account.isActive) return undefined
      if (!jwts.isCurrent(subject, account.password)) return undefined
      const { id, documentId, email } = account
      return { kind: 'admin', grant: fullGrant, admin: { id, documentId, email } }
    },
    changed: cache.forget,
  }
}
