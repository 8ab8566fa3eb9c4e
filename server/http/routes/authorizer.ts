import type { IncomingHttpHeaders } from 'node:http'
import type { Grant } from '../../../engine/schema/grant.js'
import type { Caller } from '../../accounts/caller.js'
import type { Guard } from '../route.js'

/** Identifies callers and checks guards. HTTP code uses nothing else from `server/accounts`. */
export type Access = Readonly<{
  /**
   * Returns the caller (docs/internals/decisions.md, "Permissions are given one by one"). Throws `unauthorized` for
   * unknown credentials, and `forbidden` without permission for the guard's action.
   */
  authorize: (guard: Guard, headers: IncomingHttpHeaders) => Promise<Caller>
  /**
   * Returns the permissions of a caller of `/api`; undefined for unknown credentials. If this function is absent, 404s
   * suggest no other path.
   */
  grantOf?: (headers: IncomingHttpHeaders) => Promise<Grant | undefined>
}>
