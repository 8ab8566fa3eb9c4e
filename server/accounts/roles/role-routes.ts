import { fail } from '../../../engine/errors.js'
import type { AccessControl } from '../access-control.js'
import { writerOf } from '../caller.js'
import {
  flag,
  list,
  mapOf,
  members,
  moment,
  momentOrNull,
  text,
  textOrNull,
  whole,
} from '../../http/json-schemas.js'
import { reply, type Guard, type HttpRequest, type Json, type Route } from '../../http/route.js'
import { strangersOf, validateBody } from '../../http/validate-body.js'
import { isObject } from '../../../engine/values/is-object.js'
import type { Services } from '../../lifecycle/services.js'
import { readPermissions, showPermissions } from './permission-tree.js'
import { createRoles, type RoleChange, type RoleDocument } from './roles.js'
import { changeBody, newBody } from './role-bodies.js'
import { asAdmin, type Documented } from '../../http/documented.js'

type Mount = Readonly<{
  prefix: string
  guard: (action: string) => Guard
  told: (documented: Documented) => Documented
}>

const mounts: readonly Mount[] = [
  {
    prefix: '/api/users-permissions',
    guard: (action) => ({ kind: 'content', action: `plugin::users-permissions.${action}` }),
    told: (documented) => documented,
  },
  { prefix: '/users-permissions', guard: () => ({ kind: 'admin' }), told: asAdmin },
]

/**
 * Roles and what they may do: below `/api` by permission (docs/decisions.md, "Users"), and for admins
 * (docs/decisions.md, "Admins are apart"); Strapi's shapes.
 */
export function roleRoutes(
  services: Services,
  access: Pick<AccessControl, 'actions' | 'rolesChanged' | 'userChanged' | 'report'>,
): readonly Route[] {
  const roles = createRoles(services, access)
  const all = services.settings['api.rest.unknownKeys'] === 'ignore'
  const change = ({ body, ignored }: HttpRequest) => {
    strangersOf(changeBody, body).forEach(ignored)
    return readChange(body, (tree) => readPermissions(tree, access.actions(), { ignored, all }))
  }
  return mounts.flatMap(({ prefix, guard, told }): readonly Route[] => [
    {
      method: 'GET',
      path: `${prefix}/roles`,
      guard: guard('role.find'),
      documented: told({
        id: 'listRoles',
        summary: 'The roles, and how many users have each',
        tag,
        answers: { 200: members({ roles: list(members({ ...role, nb_users: whole })) }) },
      }),
      handle: async () => {
        const list = await roles.list()
        return reply(200, {
          roles: list.map(([role, users]) => ({ ...show(role), nb_users: users })),
        })
      },
    },
    {
      method: 'GET',
      path: `${prefix}/roles/:id`,
      guard: guard('role.findOne'),
      documented: told({
        id: 'readRole',
        summary: 'A role and what it may do',
        tag,
        answers: { 200: members({ role: members({ ...role, permissions: tree }) }) },
      }),
      handle: async ({ params }) => {
        const role = await roles.find(params['id'])
        const granted = new Set(role.permissions)
        const permissions = showPermissions(access.actions(), granted, 'usual')
        return reply(200, { role: { ...show(role), permissions } })
      },
    },
    {
      method: 'POST',
      path: `${prefix}/roles`,
      guard: guard('role.createRole'),
      documented: told({
        id: 'createRole',
        summary: 'Make a role',
        tag,
        body: newBody.concat(changeBody.omit(['name'])),
        answers: { 200: done },
      }),
      handle: async (request) => {
        if (!isObject(request.body) || Object.keys(request.body).length === 0)
          throw fail('validation', { message: 'Request body cannot be empty' })
        const { name } = validateBody(newBody, request.body)
        const asked = { ...change(request), name }
        await roles.create(asked, writerOf(request))
        access.report('role-created', request, { granted: asked.permissions ?? [] })
        return reply(200, { ok: true })
      },
    },
    {
      method: 'PUT',
      path: `${prefix}/roles/:id`,
      guard: guard('role.updateRole'),
      documented: told({
        id: 'changeRole',
        summary: 'Change a role; a tree of permissions replaces what it may do',
        tag,
        body: changeBody,
        answers: { 200: done },
      }),
      handle: async (request) => {
        const { params } = request
        const before = await roles.find(params['id'])
        const asked = change(request)
        await roles.update(params['id'], asked, writerOf(request))
        access.report('role-changed', request, { role: before._id, ...difference(before, asked) })
        return reply(200, { ok: true })
      },
    },
    {
      method: 'DELETE',
      path: `${prefix}/roles/:id`,
      guard: guard('role.deleteRole'),
      documented: told({ id: 'deleteRole', summary: 'Delete a role', tag, answers: { 200: done } }),
      handle: async (request) => {
        const id = await roles.remove(request.params['id'], writerOf(request))
        access.report('role-removed', request, { role: id })
        return reply(200, { ok: true })
      },
    },
    {
      method: 'GET',
      path: `${prefix}/permissions`,
      guard: guard('permissions.getPermissions'),
      documented: told({
        id: 'listPermissions',
        summary: 'Every action that a role can be given',
        tag,
        answers: { 200: members({ permissions: tree }) },
      }),
      handle: () =>
        reply(200, { permissions: showPermissions(access.actions(), new Set(), 'all') }),
    },
  ])
}

/** What a body says about a role; without `permissions` they stay as they are (docs/decisions.md, "Users"). */
function readChange(body: unknown, read: (tree: unknown) => readonly string[]): RoleChange {
  const { name, description, permissions } = validateBody(changeBody, body)
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(permissions === undefined ? {} : { permissions: read(permissions) }),
  }
}

/** Which actions a change gives and takes. */
function difference({ permissions: before }: RoleDocument, { permissions }: RoleChange) {
  const after = permissions ?? before
  return {
    granted: after.filter((action) => !before.includes(action)),
    revoked: before.filter((action) => !after.includes(action)),
  }
}

const show = (role: RoleDocument): { readonly [key: string]: Json } => ({
  id: role._id,
  documentId: role.documentId,
  name: role.name,
  description: role.description ?? null,
  type: role.type,
  createdAt: role.createdAt.toISOString(),
  updatedAt: role.updatedAt.toISOString(),
  publishedAt: role.publishedAt?.toISOString() ?? null,
})

const role = {
  id: whole,
  documentId: text,
  name: text,
  description: textOrNull,
  type: text,
  createdAt: moment,
  updatedAt: moment,
  publishedAt: momentOrNull,
}
const permission = members({ enabled: flag, policy: text })
const tree = mapOf(members({ controllers: mapOf(mapOf(permission)) }))
const done = members({ ok: flag })
const tag = 'Roles'
