import type { IncomingHttpHeaders } from 'node:http'
import type { Grant } from '../../../engine/schema/grant.js'
import type { Caller } from '../../accounts/caller.js'
import type { Guard } from '../route.js'

/** Identifies callers and checks guards. HTTP uses nothing else of `server/accounts`. */
export type Access = Readonly<{
  /**
   * Returns the caller to whom the credentials in the headers belong. Throws `unauthorized` for unknown credentials,
   * and `forbidden` if the guard's action is not granted (docs/decisions.md, "Permissions are given one by one").
   */
  authorize: (guard: Guard, headers: IncomingHttpHeaders) => Promise<Caller>
  /**
   * Returns the grant of a caller of `/api`. Returns undefined for unknown credentials. Without this function, 404s
   * suggest no path.
   */
  grantOf?: (headers: IncomingHttpHeaders) => Promise<Grant | undefined>
}>
