import type { Caller } from '../accounts/caller.js'
import { fullGrant } from '../../engine/schema/grant.js'

/**
 * Properties of a caller on which the content of an OpenAPI document depends, and the response format that the document
 * describes.
 */
export type View = Readonly<ReturnType<typeof viewOf>>

/**
 * Returns a caller's view. Admins see all operations: they cannot call `/api` themselves, but can create tokens for it.
 */
export function viewOf(caller: Caller, format: 'flat' | 'v4') {
  const isAdmin = caller.kind === 'admin'
  return {
    /** Permissions of the caller. Only operations that they allow are documented. */
    grant: isAdmin ? fullGrant : caller.grant,
    admin: isAdmin,
    /** Whether endpoints for full-access tokens are included. */
    fullAccess: isAdmin || (caller.kind === 'token' && caller.token.type === 'full-access'),
    /** Whether no operation in the document needs credentials. */
    anonymous: caller.kind === 'public',
    /** `v4`: the document describes responses to requests with the header `Strapi-Response-Format: v4`. */
    format,
  }
}

/** Returns a cache key. Views with equal keys have equal documents. */
export const viewKey = ({ grant, admin, fullAccess, anonymous, format }: View): string =>
  [grant.key, admin, fullAccess, anonymous, format].join(' ')
