import { fail } from '../../../engine/errors.js'
import type { AccessFeature } from '../create-access.js'
import { queryParameter } from '../../http/documented.js'
import { fromOne, inData, list, members, whole } from '../../http/routes/json-schemas.js'
import { dataReply, found, idOf, type Route } from '../../http/route.js'
import { routesOf } from '../../http/routes/routes-of.js'
import { validateSecretBody } from '../../http/request/validate-body.js'
import {
  adminAnswer,
  adminMembers,
  changeBody,
  changesLogin,
  invitedAnswer,
  newBody,
  showAdmin,
} from './admin-bodies.js'

/** Routes that manage admins (docs/internals/decisions.md, "Admins are apart"). Bodies are as in Strapi. */
export const adminRoutes = ({ admins, report }: AccessFeature): readonly Route[] =>
  routesOf(
    { guard: 'admin', tag: 'Admins' },
    {
      'GET /admin/users': {
        id: 'listAdmins',
        summary: 'The admins',
        query: ['page', 'pageSize'].map((name) => queryParameter(name, 'Of the list', fromOne)),
        answer: inData(
          members({
            results: list(members(adminMembers)),
            pagination: members({ page: whole, pageSize: whole, pageCount: whole, total: whole }),
          }),
        ),
        handle: async ({ search }) => {
          const { page, pageSize } = readPage(search)
          const total = await admins.count()
          const results = await admins.list({ start: (page - 1) * pageSize, limit: pageSize })
          const pagination = { page, pageSize, pageCount: Math.ceil(total / pageSize), total }
          return dataReply({ results: results.map(showAdmin), pagination })
        },
      },
      'POST /admin/users': {
        id: 'createAdmin',
        summary: 'Create an admin, or invite one by giving no password',
        body: newBody,
        answers: { 201: invitedAnswer },
        handle: async (request) => {
          const { password, lastname = null, ...names } = validateSecretBody(newBody, request.body)
          const draft = { ...names, lastname }
          if (password !== undefined) {
            const admin = await admins.create({ ...draft, password }, request.time)
            report('admin-created', request, { admin: admin.id })
            return dataReply(showAdmin(admin), 201)
          }
          const { admin, registrationToken } = await admins.invite(draft, request.time)
          report('admin-invited', request, { admin: admin.id })
          return dataReply({ ...showAdmin(admin), registrationToken }, 201)
        },
      },
      'GET /admin/users/:id': {
        id: 'readAdmin',
        summary: 'An admin',
        answer: adminAnswer,
        handle: async (request) =>
          dataReply(showAdmin(found(await admins.find(idOf(request)), noUser))),
      },
      'PUT /admin/users/:id': {
        id: 'changeAdmin',
        summary: 'Change an admin',
        body: changeBody,
        answer: invitedAnswer,
        handle: async (request) => {
          const { caller, time } = request
          const id = idOf(request)
          const change = validateSecretBody(changeBody, request.body)
          // A stolen JWT must not suffice to take over the account.
          const isOwn = caller.kind === 'admin' && caller.admin.id === id
          if (isOwn && changesLogin(change, caller.admin.email)) {
            throw fail('validation', 'Change your own password and address at /admin/users/me')
          }
          const { admin, registrationToken } = found(
            await admins.update(id, change, { time }),
            noUser,
          )
          report('admin-changed', request, { admin: id, changed: Object.keys(change) })
          return dataReply({ ...showAdmin(admin), registrationToken })
        },
      },
      'DELETE /admin/users/:id': {
        id: 'deleteAdmin',
        summary: 'Delete an admin',
        answer: adminAnswer,
        handle: async (request) => {
          const id = idOf(request)
          const admin = found(await admins.remove(id, request.time), noUser)
          report('admin-removed', request, { admin: admin.id })
          return dataReply(showAdmin(admin))
        },
      },
    },
  )

const noUser = 'User does not exist'

/** Reads `page` and `pageSize`. Lowers a value above the maximum to the maximum, as in Strapi's admin lists. */
function readPage(search: string): Readonly<{ page: number; pageSize: number }> {
  const parameters = new URLSearchParams(search)
  const read = (name: string, fallback: number): number => {
    const text = parameters.get(name) ?? String(fallback)
    const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN
    if (number >= 1) return number
    throw fail('validation', `${name} must be an integer of 1 or more`)
  }
  return {
    page: Math.min(read('page', 1), 1_000_000),
    pageSize: Math.min(read('pageSize', 10), 100),
  }
}
