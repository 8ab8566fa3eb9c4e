import type { HttpRequest, Reply } from '../../http/route.js'
import type { Settings } from '../../settings/settings.js'
import type { Report } from '../security-log.js'
import type { Jwts } from '../jwt.js'
import type { createMailedCodes } from '../mailed-codes.js'
import type { RoleGrantStore } from '../roles/role-grants.js'
import type { Sessions } from './sessions/sessions.js'
import type { Account, UserAccounts } from './user-accounts.js'
import type { UserWrites } from './user-writes.js'

/** Dependencies of the auth handlers. */
export type AuthParts = Readonly<{
  settings: Settings
  accounts: UserAccounts
  writes: UserWrites
  jwts: Jwts
  /** Set if `auth.mode=refresh`. */
  sessions?: Sessions | undefined
  roles: RoleGrantStore
  codes: ReturnType<typeof createMailedCodes<Account>>
  /** Whether users must confirm their address before login. False without a mail server. */
  confirmation: boolean
  report: Report
}>

export type AuthHandler = (parts: AuthParts, request: HttpRequest) => Promise<Reply>
