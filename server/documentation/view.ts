import type { Caller } from '../accounts/caller.js'
import { fullGrant } from '../../engine/schema/grant.js'

/** The audience of a document, and the format of responses it describes. */
export type View = Readonly<ReturnType<typeof viewOf>>

/**
 * Returns the view of a caller. Admins cannot use `/api` themselves, but see all operations, because they can create
 * tokens for all of them. Every operation names the credentials it needs.
 */
export function viewOf(caller: Caller, format: 'flat' | 'v4') {
  const isAdmin = caller.kind === 'admin'
  return {
    /** Only permitted operations are documented. */
    grant: isAdmin ? fullGrant : caller.grant,
    /** Whether admin endpoints are included. */
    admin: isAdmin,
    /** Whether endpoints for full-access tokens are included. */
    fullAccess: isAdmin || (caller.kind === 'token' && caller.token.type === 'full-access'),
    /** Whether no operation in the document needs credentials. */
    anonymous: caller.kind === 'public',
    /** `v4`: describes responses to requests with `Strapi-Response-Format: v4`. */
    format,
  }
}

/** Returns equal keys for views with equal documents. */
export const viewKey = ({ grant, admin, fullAccess, anonymous, format }: View): string =>
  [grant.key, admin, fullAccess, anonymous, format].join(' ')
