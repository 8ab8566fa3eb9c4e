import type { HttpRequest, Reply } from '../../http/route.js'
import type { Settings } from '../../settings/settings.js'
import type { Report } from '../access-control.js'
import type { Jwts } from '../jwt.js'
import type { CodeMail } from './code-mail.js'
import type { OneTimeCodes } from './one-time-codes.js'
import type { RoleGrantStore } from '../roles/role-grants.js'
import type { Sessions } from './sessions/sessions.js'
import type { UserAccounts } from './user-accounts.js'
import type { UserWrites } from './user-writes.js'

/** What the handlers of the auth routes work with. */
export type AuthParts = Readonly<{
  settings: Settings
  accounts: UserAccounts
  writes: UserWrites
  jwts: Jwts
  /** With `auth.mode=refresh`. */
  sessions?: Sessions | undefined
  roles: RoleGrantStore
  codes: OneTimeCodes
  mail: CodeMail
  /** Whether users must confirm their address before they log in: only where mail can be sent. */
  confirmation: boolean
  report: Report
}>

export type AuthHandler = (parts: AuthParts, request: HttpRequest) => Promise<Reply>
