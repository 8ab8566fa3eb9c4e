import type { Db } from 'mongodb'
import { fail } from '../../../engine/errors.js'
import type { Grant } from '../../../engine/schema/grant.js'
import { createBriefCache } from '../brief-cache.js'
import { compileGrant, type DraftRule } from '../grants.js'

type RoleGrants = ReturnType<typeof compileRoles>

export type RoleGrantStore = ReturnType<typeof createRoleGrantStore>

type RoleDocument = Readonly<{ documentId: string; type?: unknown; permissions?: unknown }>

/** Caches the grants of all roles for at most a second, or until `changed` is called. */
export function createRoleGrantStore(db: Db, drafts: DraftRule) {
  const roles = db.collection<RoleDocument>('roles')
  let last: Readonly<{ text: string; grants: RoleGrants }> | undefined
  const cache = createBriefCache<'roles', RoleGrants>({
    load: async () => {
      const projection = { documentId: 1, type: 1, permissions: 1 }
      const found = await roles.find({}, { projection }).toArray()
      const text = JSON.stringify(found)
      if (last?.text !== text) last = { text, grants: compileRoles(found, drafts) }
      return last.grants
    },
  })
  const get = async () => (await cache.get('roles')) ?? noGrants
  return {
    get,
    /** Returns the documentId of the default role of new users. */
    defaultRole: async (): Promise<string> => {
      const { authenticated: role } = await get()
      if (role === undefined) throw fail('application', 'Impossible to find the default role')
      return role
    },
    changed: () => cache.forget(),
  }
}

function compileRoles(roles: readonly RoleDocument[], drafts: DraftRule) {
  const grants = new Map<string, Grant>()
  let authenticated: string | undefined
  let forPublic = none
  for (const { documentId, type, permissions } of roles) {
    const grant = compileGrant(actionsIn(permissions), drafts)
    grants.set(documentId, grant)
    if (type === 'authenticated') authenticated = documentId
    if (type === 'public') forPublic = grant
  }
  return {
    /** Grants of roles, by documentId. */
    grants,
    /** documentId of the default role of new users. */
    authenticated,
    public: forPublic,
    /** Grant of users without a role. */
    none,
  }
}

const actionsIn = (permissions: unknown): readonly string[] =>
  Array.isArray(permissions)
    ? permissions.filter((action): action is string => typeof action === 'string')
    : []

const none = compileGrant([], 'by-action')
const noGrants = compileRoles([], 'by-action')
