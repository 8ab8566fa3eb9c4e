import type { Db } from 'mongodb'
import { array, object, string } from 'yup'
import {
  checkActions,
  checkMembers,
  problemIf,
  type Subject,
  type SubjectWriter,
} from '../../configuration/subject.js'
import type { Actions } from '../access-control.js'
import type { AccessFeature } from '../create-access.js'
import type { Services } from '../../services.js'
import { createRoles, type RoleDocument } from './roles.js'
import { changeBody, newBody } from './role-bodies.js'

const fields = object({
  name: newBody.fields.name,
  description: changeBody.fields.description,
  permissions: array(string().required()),
})

/** `config/roles.json`, by type: `{ "editor": { "name": "Editor", "description": null, "permissions": [] } }`. */
export function roleSubject(db: Db, actions: () => Actions): Subject {
  return {
    name: 'roles',
    stored: async () => {
      const there = actions()
      const roles = await db.collection<RoleDocument>('roles').find().sort({ _id: 1 }).toArray()
      return new Map(
        roles.map(({ type, name, description, permissions }) => {
          // Omit actions that can no longer be granted.
          const granted = (permissions ?? []).filter((action) => there.has(action)).sort()
          return [type, { name, description: description ?? null, permissions: granted }] as const
        }),
      )
    },
    check: (type, given) => {
      const path = ['roles', type]
      const { permissions } = (given ?? {}) as Readonly<{ permissions?: unknown }>
      return [
        ...problemIf(
          !/^[\w.-]{1,255}$/.test(type),
          path,
          'a type can contain only letters, digits, _, . and -',
        ),
        ...checkMembers(fields, path, given),
        ...checkActions([...path, 'permissions'], permissions, actions()),
      ]
    },
    defaults: () => ({ description: null, permissions: [] }),
    stays: (type) =>
      Promise.resolve(
        type === 'public' || type === 'authenticated' ? `Cannot delete ${type} role` : undefined,
      ),
  }
}

/** Writes roles as the admin endpoints do. Users of a deleted role get the public role. */
export function roleWriter(services: Services, access: AccessFeature): SubjectWriter {
  const roles = createRoles(services, access)
  return {
    create: (type, { name, ...rest }, by) =>
      roles.create({ ...rest, type, name: String(name) }, by),
    change: async (type, members, by) => roles.update(await roles.findByType(type), members, by),
    remove: async (type, by) => roles.remove(await roles.findByType(type), by),
  }
}
