import { isDeepStrictEqual } from 'node:util'
import { ApiError } from '../../../engine/errors.js'
import { fullGrant } from '../../../engine/schema/grant.js'
import { builtIn, typeOf } from '../../../engine/schema/registry.js'
import type { Services } from '../../lifecycle/services.js'

/** What a role of a fresh service is: logging in works, and nothing else is granted. */
const firstRoles = [
  {
    name: 'Authenticated',
    description: 'Default role given to authenticated user.',
    type: 'authenticated',
    permissions: ['auth.changePassword', 'auth.logout', 'user.me'],
  },
  {
    name: 'Public',
    description: 'Default role given to unauthenticated user.',
    type: 'public',
    permissions: [
      'auth.callback',
      'auth.connect',
      'auth.emailConfirmation',
      'auth.forgotPassword',
      'auth.register',
      'auth.resetPassword',
      'auth.sendEmailConfirmation',
    ],
  },
]

const actionsOf = (names: readonly string[]): readonly string[] =>
  names.map((name) => `plugin::users-permissions.${name}`)

/** Whether a role, as it is stored, is one that a service made at its first start and nobody changed since. */
export function isFirstRole(role: Readonly<Record<string, unknown>>): boolean {
  const { permissions } = role
  return firstRoles.some(
    (first) =>
      role.type === first.type &&
      role.name === first.name &&
      role.description === first.description &&
      Array.isArray(permissions) &&
      isDeepStrictEqual(new Set<unknown>(permissions), new Set(actionsOf(first.permissions))),
  )
}

/** Makes the roles that the service cannot be without, where they are not; several processes may do so at once. */
export async function ensureRoles({ db, documents, registry }: Services): Promise<void> {
  const roles = db.collection('roles')
  for (const { type, permissions, ...rest } of firstRoles) {
    if ((await roles.findOne({ type })) !== null) continue
    const data = { ...rest, type, permissions: actionsOf(permissions) }
    try {
      const roleType = typeOf(registry(), builtIn.role)
      await documents.create(roleType, data, { grant: fullGrant, actor: null })
    } catch (error) {
      // `type` is unique: another process was first.
      if (!(error instanceof ApiError) || (await roles.findOne({ type })) === null) throw error
    }
  }
}
