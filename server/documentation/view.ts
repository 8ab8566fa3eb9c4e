import type { Caller } from '../accounts/caller.js'
import { fullGrant, type Grant } from '../../engine/schema/grant.js'

/** For whom a document is made, and of which form of answers it tells. */
export type View = Readonly<{
  /** What may be called; of the rest nothing is told. */
  grant: Grant
  /** Whether the endpoints of admins belong to it. */
  admin: boolean
  /** Whether those of full-access tokens do. */
  fullAccess: boolean
  /** Whether everything in it can be called without credentials. */
  anonymous: boolean
  /** `v4`: what is answered to requests with `Strapi-Response-Format: v4`. */
  format: 'flat' | 'v4'
}>

/**
 * What a caller is told. An admin calls nothing below `/api`, but makes tokens that may call all of it, so they are
 * told of everything; every operation says which credentials it takes.
 */
export function viewOf(caller: Caller, format: View['format']): View {
  const isAdmin = caller.kind === 'admin'
  return {
    grant: isAdmin ? fullGrant : caller.grant,
    admin: isAdmin,
    fullAccess: isAdmin || (caller.kind === 'token' && caller.token.type === 'full-access'),
    anonymous: caller.kind === 'public',
    format,
  }
}

/** The same for views of which the same document is made. */
export const viewKey = ({ grant, admin, fullAccess, anonymous, format }: View): string =>
  [grant.key, admin, fullAccess, anonymous, format].join(' ')
