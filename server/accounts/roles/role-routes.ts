import { fail } from '../../../engine/errors.js'
import { differenceOf } from '../access-control.js'
import type { AccessFeature } from '../create-access.js'
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
} from '../../http/routes/json-schemas.js'
import { granted, reply, type HttpRequest, type Route } from '../../http/route.js'
import { showMembers } from '../../http/response/show-members.js'
import { forAdmins, routesOf } from '../../http/routes/routes-of.js'
import { unknownKeysOf, validateBody } from '../../http/request/validate-body.js'
import { isObject } from '../../../engine/values/is-object.js'
import type { Services } from '../../services.js'
import { readPermissions, showPermissions } from './permission-tree.js'
import { createRoles, type RoleChange, type RoleDocument } from './roles.js'
import { changeBody, newBody } from './role-bodies.js'

/**
 * Routes of roles, below `/api` for callers with permission (docs/internals/decisions.md, "Users") and below `/admin`
 * for admins (docs/internals/decisions.md, "Admins are apart"). Bodies are as in Strapi.
 */
export function roleRoutes(services: Services, access: AccessFeature): readonly Route[] {
  const roles = createRoles(services, access)
  const all = services.settings['api.rest.unknownKeys'] === 'ignore'
  /** Without `permissions` in the body, the role keeps its permissions (docs/internals/decisions.md, "Users"). */
  const change = ({ body, ignored }: HttpRequest): RoleChange => {
    unknownKeysOf(changeBody, body).forEach(ignored)
    const { permissions, ...rest } = validateBody(changeBody, body)
    if (permissions === undefined) return rest
    const read = readPermissions(permissions, access.actions(), { ignored, all })
    return { ...rest, permissions: read }
  }
  const routes = routesOf(
    { guard: granted('users-permissions.permissions.getPermissions'), tag: 'Roles' },
    {
      'GET /api/users-permissions/roles': {
        id: 'listRoles',
        summary: 'List roles, with their number of users',
        guard: granted('users-permissions.role.find'),
        answer: members({ roles: list(members({ ...role, nb_users: whole })) }),
        handle: async () => {
          const list = await roles.list()
          return reply(200, {
            roles: list.map(([role, users]) => ({ ...show(role), nb_users: users })),
          })
        },
      },
      'GET /api/users-permissions/roles/:id': {
        id: 'readRole',
        summary: 'Show a role and its permissions',
        guard: granted('users-permissions.role.findOne'),
        answer: members({ role: members({ ...role, permissions: tree }) }),
        handle: async ({ params }) => {
          const role = await roles.find(params.id)
          const granted = new Set(role.permissions)
          const permissions = showPermissions(access.actions(), granted, 'usual')
          return reply(200, { role: { ...show(role), permissions } })
        },
      },
      'POST /api/users-permissions/roles': {
        id: 'createRole',
        summary: 'Make a role',
        guard: granted('users-permissions.role.createRole'),
        body: newBody.concat(changeBody.omit(['name'])),
        answer: done,
        handle: async (request) => {
          if (!isObject(request.body) || Object.keys(request.body).length === 0)
            throw fail('validation', 'Request body cannot be empty')
          const { name } = validateBody(newBody, request.body)
          const changes = { ...change(request), name }
          await roles.create(changes, writerOf(request))
          access.report('role-created', request, { granted: changes.permissions ?? [] })
          return reply(200, { ok: true })
        },
      },
      'PUT /api/users-permissions/roles/:id': {
        id: 'changeRole',
        summary: 'Change a role. A tree of permissions replaces its permissions',
        guard: granted('users-permissions.role.updateRole'),
        body: changeBody,
        answer: done,
        handle: async (request) => {
          const before = await roles.find(request.params.id)
          const changes = change(request)
          await roles.update(before, changes, writerOf(request))
          const about = differenceOf(before.permissions, changes.permissions ?? before.permissions)
          access.report('role-changed', request, { role: before._id, ...about })
          return reply(200, { ok: true })
        },
      },
      'DELETE /api/users-permissions/roles/:id': {
        id: 'deleteRole',
        summary: 'Delete a role',
        guard: granted('users-permissions.role.deleteRole'),
        answer: done,
        handle: async (request) => {
          const role = await roles.find(request.params.id)
          await roles.remove(role, writerOf(request))
          access.report('role-removed', request, { role: role._id })
          return reply(200, { ok: true })
        },
      },
      'GET /api/users-permissions/permissions': {
        id: 'listPermissions',
        summary: 'List the actions that a role can have',
        answer: members({ permissions: tree }),
        handle: () =>
          reply(200, { permissions: showPermissions(access.actions(), new Set(), 'all') }),
      },
    },
  )
  return [...routes, ...routes.map(forAdmins)]
}

const show = (document: RoleDocument) => showMembers(role, { ...document, id: document._id })

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
