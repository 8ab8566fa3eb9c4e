import { fail } from '../../../engine/errors.js'
import type { AccessControl } from '../access-control.js'
import type { QueryParameter } from '../../http/documented.js'
import { inData, list, members, text, whole } from '../../http/json-schemas.js'
import { reply, type HttpRequest, type Route } from '../../http/route.js'
import {
  adminAnswer,
  adminMembers,
  changeBody,
  changesLogin,
  newBody,
  readChange,
  readDraft,
  showAdmin,
} from './admin-bodies.js'

/** Admin users, managed by one another (docs/decisions.md, "Admins are apart"; Strapi's shapes). */
export function adminRoutes({
  admins,
  report,
}: Pick<AccessControl, 'admins' | 'report'>): readonly Route[] {
  const guard = { kind: 'admin' } as const
  return [
    {
      method: 'GET',
      path: '/admin/users',
      guard,
      documented: {
        id: 'listAdmins',
        summary: 'The admins',
        tag,
        query: [page('page'), page('pageSize')],
        answers: {
          200: inData(
            members({
              results: list(members(adminMembers)),
              pagination: members({ page: whole, pageSize: whole, pageCount: whole, total: whole }),
            }),
          ),
        },
      },
      handle: async ({ search }) => {
        const { page, pageSize } = readPage(search)
        const total = await admins.count()
        const results = await admins.list({ start: (page - 1) * pageSize, limit: pageSize })
        const pagination = { page, pageSize, pageCount: Math.ceil(total / pageSize), total }
        return reply(200, { data: { results: results.map(showAdmin), pagination } })
      },
    },
    {
      method: 'POST',
      path: '/admin/users',
      guard,
      documented: {
        id: 'createAdmin',
        summary: 'Make an admin, or invite one by giving no password',
        tag,
        body: newBody,
        answers: { 201: inData(members(adminMembers, { registrationToken: text })) },
      },
      handle: async (request) => {
        const { password, ...draft } = readDraft(request.body)
        if (password !== undefined) {
          const admin = await admins.create({ ...draft, password }, request.time)
          report('admin-created', request, { admin: admin.id })
          return reply(201, { data: showAdmin(admin) })
        }
        const { admin, registrationToken } = await admins.invite(draft, request.time)
        report('admin-invited', request, { admin: admin.id })
        return reply(201, { data: { ...showAdmin(admin), registrationToken } })
      },
    },
    {
      method: 'GET',
      path: '/admin/users/:id',
      guard,
      documented: { id: 'readAdmin', summary: 'An admin', tag, answers: { 200: adminAnswer } },
      handle: async ({ params }) =>
        reply(200, { data: showAdmin(found(await admins.find(idOf(params)))) }),
    },
    {
      method: 'PUT',
      path: '/admin/users/:id',
      guard,
      documented: {
        id: 'changeAdmin',
        summary: 'Change an admin',
        tag,
        body: changeBody,
        answers: { 200: inData(members(adminMembers, { registrationToken: text })) },
      },
      handle: async (request) => {
        const { params, caller, time } = request
        const id = idOf(params)
        const change = readChange(request.body)
        // A JWT that was stolen must not be enough to take the account over.
        const isOwn = caller.kind === 'admin' && caller.admin.id === id
        if (isOwn && changesLogin(change, caller.admin.email)) {
          const message = 'Change your own password and address at /admin/users/me'
          throw fail('validation', { message })
        }
        const { admin, registrationToken } = found(await admins.update(id, change, { time }))
        report('admin-changed', request, { admin: id, changed: Object.keys(change) })
        return reply(200, { data: { ...showAdmin(admin), registrationToken } })
      },
    },
    {
      method: 'DELETE',
      path: '/admin/users/:id',
      guard,
      documented: {
        id: 'deleteAdmin',
        summary: 'Delete an admin',
        tag,
        answers: { 200: adminAnswer },
      },
      handle: async (request) => {
        const admin = found(await admins.remove(idOf(request.params), request.time))
        report('admin-removed', request, { admin: admin.id })
        return reply(200, { data: showAdmin(admin) })
      },
    },
  ]
}

/** An id that no admin has for a path that holds none. */
const idOf = (params: HttpRequest['params']): number =>
  /^\d{1,15}$/.test(params['id'] ?? '') ? Number(params['id']) : -1

function found<T>(admin: T | undefined): T {
  if (admin === undefined) throw fail('not-found-because', { message: 'User does not exist' })
  return admin
}

/** `page` and `pageSize` of Strapi's admin lists; more at once than are shown is no mistake. */
function readPage(search: string): Readonly<{ page: number; pageSize: number }> {
  const parameters = new URLSearchParams(search)
  const read = (name: string, fallback: number): number => {
    const text = parameters.get(name) ?? String(fallback)
    const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN
    if (number >= 1) return number
    throw fail('validation', { message: `${name} must be an integer of 1 or more` })
  }
  return {
    page: Math.min(read('page', 1), 1_000_000),
    pageSize: Math.min(read('pageSize', 10), 100),
  }
}

const tag = 'Admins'

const page = (name: string): QueryParameter => ({
  name,
  description: 'Of the list',
  schema: { type: 'integer', minimum: 1 },
})
