import type { Documented, JsonSchema } from '../../http/documented.js'
import {
  flag,
  list,
  members,
  moment,
  momentOrNull,
  text,
  textOrNull,
  whole,
} from '../../http/json-schemas.js'
import { changeBody, newBody } from './role-bodies.js'

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
const mapOf = (additionalProperties: JsonSchema): JsonSchema => ({
  type: 'object',
  additionalProperties,
})
const permission = members({ enabled: flag, policy: text })
const tree = mapOf(members({ controllers: mapOf(mapOf(permission)) }))
const done = members({ ok: flag })
const tag = 'Roles'

/** What the API's document says of the endpoints of roles. */
export const roleDescriptions = {
  list: {
    id: 'listRoles',
    summary: 'The roles, and how many users have each',
    tag,
    answers: { 200: members({ roles: list(members({ ...role, nb_users: whole })) }) },
  },
  read: {
    id: 'readRole',
    summary: 'A role and what it may do',
    tag,
    answers: { 200: members({ role: members({ ...role, permissions: tree }) }) },
  },
  create: {
    id: 'createRole',
    summary: 'Make a role',
    tag,
    body: newBody.concat(changeBody.omit(['name'])),
    answers: { 200: done },
  },
  change: {
    id: 'changeRole',
    summary: 'Change a role; a tree of permissions replaces what it may do',
    tag,
    body: changeBody,
    answers: { 200: done },
  },
  remove: { id: 'deleteRole', summary: 'Delete a role', tag, answers: { 200: done } },
  permissions: {
    id: 'listPermissions',
    summary: 'Every action that a role can be given',
    tag,
    answers: { 200: members({ permissions: tree }) },
  },
} as const satisfies Record<string, Documented>
