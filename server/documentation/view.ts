import type { Caller } from '../accounts/caller.js'
import { fullGrant } from '../../engine/schema/grant.js'

/** The content of an OpenAPI document: the operations for one kind of caller, in one response format. */
export type View = Readonly<ReturnType<typeof viewOf>>

/**
 * Returns the view of a caller. Admins see all operations, although they cannot call `/api` themselves, because they
 * can create tokens for all of them. Every operation names the credentials that it needs.
 */
export function viewOf(caller: Caller, format: 'flat' | 'v4') {
  const isAdmin = caller.kind === 'admin'
  return {
    /** The caller's permissions. Only permitted operations are documented. */
    grant: isAdmin ? fullGrant : caller.grant,
    /** Whether admin endpoints are included. */
    admin: isAdmin,
    /** Whether endpoints for full-access tokens are included. */
    fullAccess: isAdmin || (caller.kind === 'token' && caller.token.type === 'full-access'),
    /** Whether no operation in the document needs credentials. */
    anonymous: caller.kind === 'public',
    /** Response format. `v4` describes responses to requests with `Strapi-Response-Format: v4`. */
    format,
  }
}

/** Returns a cache key that is equal for views with equal documents. */
export const viewKey = ({ grant, admin, fullAccess, anonymous, format }: View): string =>
  [grant.key, admin, fullAccess, anonymous, format].join(' ')
