import type { HttpRequest, Reply } from '../http/route.js'
import type { Settings } from '../settings.js'
import type { OneTimeCodes } from './one-time-codes.js'
import type { RoleGrantStore } from './role-grants.js'
import type { UserAccounts } from './user-accounts.js'
import type { UserWrites } from './user-writes.js'

/** Sends a code to its user; where there is none, codes are not made. */
export type DeliverCode = (
  message: Readonly<{
    purpose: 'reset-password' | 'email-confirmation'
    email: string
    username: string
    code: string
  }>,
) => Promise<void>

/** What the handlers of the auth routes work with. */
export type AuthParts = Readonly<{
  settings: Settings
  accounts: UserAccounts
  writes: UserWrites
  roles: RoleGrantStore
  codes: OneTimeCodes
  deliver: DeliverCode | undefined
}>

export type AuthHandler = (parts: AuthParts, request: HttpRequest) => Promise<Reply>
