import { isDeepStrictEqual } from 'node:util'
import { ApiError } from '../../../engine/errors.js'
import { fullGrant } from '../../../engine/schema/grant.js'
import { builtIn, typeOf } from '../../../engine/schema/registry.js'
import type { Services } from '../../services.js'

/** Roles of a new service, without access to content. */
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

/** Returns whether a stored role is a first role that was never changed. */
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

/** Creates missing first roles. Several processes may call this concurrently. */
export async function ensureRoles({ db, documents, registry }: Services): Promise<void> {
  const roles = db.collection('roles')
  for (const { type, permissions, ...rest } of firstRoles) {
    if ((await roles.findOne({ type })) !== null) continue
    const data = { ...rest, type, permissions: actionsOf(permissions) }
    try {
      const roleType = typeOf(registry(), builtIn.role)
      await documents.create(roleType, data, { grant: fullGrant, actor: null })
    } catch (error) {
      // `type` is unique, so another process created the role first.
      if (!(error instanceof ApiError) || (await roles.findOne({ type })) === null) throw error
    }
  }
}
