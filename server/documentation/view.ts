import type { Caller } from '../accounts/caller.js'
import { fullGrant } from '../../engine/schema/grant.js'

/** For whom a document is made, and of which form of answers it tells. */
export type View = Readonly<ReturnType<typeof viewOf>>

/**
 * What a caller is told. An admin calls nothing below `/api`, but makes tokens that may call all of it, so they are
 * told of everything; every operation says which credentials it takes.
 */
export function viewOf(caller: Caller, format: 'flat' | 'v4') {
  const isAdmin = caller.kind === 'admin'
  return {
    /** What may be called; of the rest nothing is told. */
    grant: isAdmin ? fullGrant : caller.grant,
    /** Whether the endpoints of admins belong to it. */
    admin: isAdmin,
    /** Whether those of full-access tokens do. */
    fullAccess: isAdmin || (caller.kind === 'token' && caller.token.type === 'full-access'),
    /** Whether everything in it can be called without credentials. */
    anonymous: caller.kind === 'public',
    /** `v4`: what is answered to requests with `Strapi-Response-Format: v4`. */
    format,
  }
}

/** The same for views of which the same document is made. */
export const viewKey = ({ grant, admin, fullAccess, anonymous, format }: View): string =>
  [grant.key, admin, fullAccess, anonymous, format].join(' ')
