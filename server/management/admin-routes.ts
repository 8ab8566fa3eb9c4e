import { object, string } from 'yup'
import { fail } from '../../engine/errors.js'
import type { Admin, AccessControl, AdminDraft } from '../auth/access-control.js'
import { passwordRule } from '../http/password-rule.js'
import { byBody, reply, type Json, type Route } from '../http/route.js'
import { validateBody } from '../http/validate-body.js'

const newBody = object({
  firstname: string().min(1).max(255).required(),
  lastname: string().min(1).max(255).nullable(),
  email: string().email().max(254).required(),
  password: passwordRule
    .min(8)
    .matches(/[a-z]/, 'password must contain at least one lowercase character')
    .matches(/[A-Z]/, 'password must contain at least one uppercase character')
    .matches(/\d/, 'password must contain at least one number')
    .required(),
})

const loginBody = object({ email: string().required(), password: string().required() })

/** Admin users: the first one, login, and more of them (D28; Strapi's shapes). */
export function adminRoutes({ admins }: Pick<AccessControl, 'admins'>): readonly Route[] {
  const guard = { kind: 'admin' } as const
  const session = async (admin: Admin) => ({
    data: { token: await admins.issueToken(admin.id), user: show(admin) },
  })
  return [
    {
      method: 'POST',
      path: '/admin/register-admin',
      guard: { kind: 'open' },
      attempts: byBody('register-admin', 'email'),
      handle: async ({ body }) => {
        if ((await admins.count()) > 0) throw alreadyThere()
        const admin = await admins.createFirst(readDraft(body))
        if (admin === undefined) throw alreadyThere()
        return reply(200, await session(admin))
      },
    },
    {
      method: 'POST',
      path: '/admin/login',
      guard: { kind: 'open' },
      attempts: byBody('admin-login', 'email'),
      handle: async ({ body }) => {
        const { email, password } = validateBody(loginBody, body)
        const admin = await admins.verify(email, password)
        if (admin === undefined) throw fail('application', { message: 'Invalid credentials' })
        return reply(200, await session(admin))
      },
    },
    {
      method: 'GET',
      path: '/admin/users/me',
      guard,
      handle: async ({ caller }) => {
        const admin = caller.kind === 'admin' ? await admins.find(caller.admin.id) : undefined
        if (admin === undefined) throw fail('unauthorized')
        return reply(200, { data: show(admin) })
      },
    },
    {
      method: 'GET',
      path: '/admin/users',
      guard,
      handle: async ({ search }) => {
        const { page, pageSize } = readPage(search)
        const total = await admins.count()
        const results = await admins.list({ start: (page - 1) * pageSize, limit: pageSize })
        const pagination = { page, pageSize, pageCount: Math.ceil(total / pageSize), total }
        return reply(200, { data: { results: results.map(show), pagination } })
      },
    },
    {
      method: 'GET',
      path: '/admin/users/:id',
      guard,
      handle: async ({ params }) => {
        const id = params['id'] ?? ''
        const admin = /^\d{1,15}$/.test(id) ? await admins.find(Number(id)) : undefined
        if (admin === undefined) throw fail('not-found-because', { message: 'User does not exist' })
        return reply(200, { data: show(admin) })
      },
    },
    {
      method: 'POST',
      path: '/admin/users',
      guard,
      handle: async ({ body }) => reply(201, { data: show(await admins.create(readDraft(body))) }),
    },
  ]
}

function readDraft(body: unknown): AdminDraft {
  const { lastname, ...rest } = validateBody(newBody, body)
  return { ...rest, lastname: lastname ?? null }
}

/** `page` and `pageSize` of Strapi's admin lists. */
function readPage(search: string): Readonly<{ page: number; pageSize: number }> {
  const parameters = new URLSearchParams(search)
  const read = (name: string, fallback: number, max: number): number => {
    const text = parameters.get(name) ?? String(fallback)
    if (!/^\d{1,9}$/.test(text))
      throw fail('validation', { message: `${name} must be a positive integer` })
    return Math.min(Math.max(Number(text), 1), max)
  }
  return { page: read('page', 1, 1_000_000), pageSize: read('pageSize', 10, 100) }
}

const alreadyThere = () => fail('application', { message: 'You cannot register a new super admin' })

const show = (admin: Admin): Json => ({
  id: admin.id,
  documentId: admin.documentId,
  firstname: admin.firstname,
  lastname: admin.lastname,
  username: admin.username,
  email: admin.email,
  isActive: admin.isActive,
  blocked: admin.blocked,
  createdAt: admin.createdAt.toISOString(),
  updatedAt: admin.updatedAt.toISOString(),
})
