import { isDeepStrictEqual } from 'node:util'
import { ApiError } from '../../../engine/errors.js'
import { fullGrant } from '../../../engine/schema/grant.js'
import { builtIn, typeOf } from '../../../engine/schema/registry.js'
import type { Services } from '../../services.js'

/** Roles of a new service. They permit registering and logging in, but no access to content. */
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

/** Returns whether a stored role is one of the first roles and has never been changed. */
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

/** Creates the first roles if they are missing. Several processes may call this concurrently. */
export async function ensureRoles({ db, documents, registry }: Services): Promise<void> {
  const roles = db.collection('roles')
  for (const { type, permissions, ...rest } of firstRoles) {
    if ((await roles.findOne({ type })) !== null) continue
    const data = { ...rest, type, permissions: actionsOf(permissions) }
    try {
      const roleType = typeOf(registry(), builtIn.role)
      await documents.create(roleType, data, { grant: fullGrant, actor: null })
    } catch (error) {
      // `type` is unique, so the error means that another process has created the role first.
      if (!(error instanceof ApiError) || (await roles.findOne({ type })) === null) throw error
    }
  }
}
