import type { IncomingHttpHeaders } from 'node:http'
import { ApiError, fail } from '../../engine/errors.js'
import type { Grant } from '../../engine/schema/grant.js'
import type { Guard, Access } from '../http/route.js'
import type { AdminCallers } from './admins/admin-callers.js'
import type { Caller } from './caller.js'
import { lacking } from './lacking.js'
import type { RoleGrantStore } from './roles/role-grants.js'
import type { Freshness } from '../signals/signals.js'
import type { TokenCallers } from './tokens/token-callers.js'
import type { UserCallers } from './users/user-callers.js'

type Dependencies = Readonly<{
  tokens: TokenCallers
  users: UserCallers
  admins: AdminCallers
  roles: RoleGrantStore
  freshness: Freshness
}>

/**
 * Identifies callers by the `Authorization` header and checks a route's guard (docs/internals/decisions.md,
 * "Permissions are given one by one" and "Admins are apart").
 */
export function createAuthorize({
  tokens,
  users,
  admins,
  roles,
  freshness,
}: Dependencies): Required<Access> {
  const findContentCaller = (credential: string): Promise<Caller | undefined> =>
    (isJwt(credential) ? users : tokens).find(credential)

  /** Identifies a caller of `/api`. Throws `unauthorized` for an unknown credential. */
  const identify = async (credential: string | undefined): Promise<Caller> => {
    await freshness.confirm()
    if (credential === undefined) {
      const { public: grant } = await roles.get()
      return { kind: 'public', grant }
    }
    const caller = await findContentCaller(credential)
    if (caller !== undefined) return caller
    const isAdmin = (await identifyAdmin(credential)) !== undefined
    throw fail('unauthorized', {}, isAdmin ? { suggestion: notForAdmins } : undefined)
  }

  const identifyAdmin = async (credential: string | undefined): Promise<Caller | undefined> => {
    if (credential === undefined || !isJwt(credential)) return undefined
    await freshness.confirm()
    return admins.find(credential)
  }

  const authorize = async (guard: Guard, headers: IncomingHttpHeaders): Promise<Caller> => {
    const credential = bearerOf(headers.authorization)
    const refusal = (caller: Caller, action?: string): Error =>
      refusalOf(caller, credential === undefined ? headers.authorization : undefined, action)
    switch (guard) {
      case 'open':
        return identify(undefined)
      case 'admin': {
        const admin = await identifyAdmin(credential)
        if (admin !== undefined) return admin
        const isKnown =
          credential !== undefined && (await findContentCaller(credential)) !== undefined
        throw fail('unauthorized', {}, isKnown ? { suggestion: onlyForAdmins } : undefined)
      }
      case 'full-access': {
        const caller = await identify(credential)
        if (caller.kind === 'token' && caller.token.type === 'full-access') return caller
        throw refusal(caller)
      }
      case 'anyone':
        return (await identifyAdmin(credential)) ?? identify(credential)
      default: {
        const caller = await identify(credential)
        const { action, draftAction = action, anyOf = [] } = guard
        if ([action, draftAction, ...anyOf].some((one) => isGranted(caller, one))) return caller
        throw refusal(caller, action)
      }
    }
  }
  const grantOf = async (headers: IncomingHttpHeaders): Promise<Grant | undefined> => {
    try {
      return (await identify(bearerOf(headers.authorization))).grant
    } catch (error) {
      if (error instanceof ApiError) return undefined
      throw error
    }
  }
  return { authorize, grantOf }
}

/**
 * Returns the credential after `Bearer` (any case). Without one, the caller has the public role
 * (docs/internals/strapi-behaviour.md, "Credentials"). Throws `unauthorized` if the credential is longer than any token
 * of Quire.
 */
function bearerOf(header: string | undefined): string | undefined {
  const [, credential] = /^bearer +(\S.*)$/i.exec(header?.trim() ?? '') ?? []
  if (credential !== undefined && credential.length > maxLength) throw fail('unauthorized')
  return credential
}

const maxLength = 4096

/** Returns whether a credential is a JWT. API tokens contain no dots. */
const isJwt = (credential: string): boolean => credential.includes('.')

const isGranted = ({ grant }: Caller, action: string): boolean =>
  grant.actions === 'all' || grant.actions.has(action)

const notForAdmins =
  'This is the token of an admin, which is valid outside the content API, for example for /admin and /users-permissions. For the content API, send an API token or the token of a user'

const onlyForAdmins =
  'API tokens and the tokens of users are valid for the content API. For this path, send the token of an admin (POST /admin/login)'

/**
 * Returns the error: 403, or 401 if the caller sent no credentials and the public role has no permissions at all.
 *
 * @param ignored an `Authorization` header without a `Bearer` credential
 */
function refusalOf(caller: Caller, ignored: string | undefined, action?: string): Error {
  const { kind, grant } = caller
  const closed = kind === 'public' && grant.actions !== 'all' && grant.actions.size === 0
  const details =
    ignored === undefined ? undefined : { suggestion: 'Authorization: Bearer <token>' }
  return closed ? fail('unauthorized', {}, details) : lacking(caller, action, details)
}
