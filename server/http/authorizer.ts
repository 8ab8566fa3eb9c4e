import type { IncomingHttpHeaders } from 'node:http'
import type { Grant } from '../../engine/schema/grant.js'
import type { Caller } from '../accounts/caller.js'
import type { Guard } from './route.js'

/** Who calls, and whether the guard lets them in. `server/accounts` knows; this is all that HTTP asks it. */
export type Access = Readonly<{
  /**
   * The caller behind the headers' credentials.
   * Throws `unauthorized` for credentials that are not known, `forbidden` where the guard's action is not
   * granted (docs/decisions.md, "Permissions are given one by one").
   */
  authorize: (guard: Guard, headers: IncomingHttpHeaders) => Promise<Caller>
  /** What a caller of `/api` may do; undefined for credentials that are not known. Absent: nobody is told more than others. */
  grantOf?: (headers: IncomingHttpHeaders) => Promise<Grant | undefined>
}>
