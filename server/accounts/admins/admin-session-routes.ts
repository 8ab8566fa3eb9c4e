import { fail } from '../../../engine/errors.js'
import type { Admin, AccessControl } from '../access-control.js'
import type { Caller } from '../caller.js'
import { byBody, reply, type Attempts, type Route } from '../../http/route.js'
import {
  readAcceptance,
  readFirst,
  readForgotten,
  readLogin,
  readOwnChange,
  readReset,
  showAdmin,
} from './admin-bodies.js'
import { adminDescriptions } from './admin-descriptions.js'

/**
 * How one becomes an admin and logs in, and what admins change of themselves (docs/decisions.md, "Admins are
 * apart"; Strapi's shapes).
 */
export function adminSessionRoutes({
  admins,
  report,
}: Pick<AccessControl, 'admins' | 'report'>): readonly Route[] {
  const open = { kind: 'open' } as const
  const guard = { kind: 'admin' } as const
  const session = async (admin: Admin) => ({
    data: { token: await admins.issueToken(admin.id), user: showAdmin(admin) },
  })
  const me = async (caller: Caller): Promise<Admin> => {
    const admin = caller.kind === 'admin' ? await admins.find(caller.admin.id) : undefined
    if (admin === undefined) throw fail('unauthorized')
    return admin
  }
  return [
    {
      method: 'POST',
      path: '/admin/register-admin',
      guard: open,
      documented: adminDescriptions.registerFirst,
      attempts: byBody('register-admin', 'email'),
      handle: async (request) => {
        if ((await admins.count()) > 0) throw alreadyThere()
        const admin = await admins.createFirst(readFirst(request.body), request.time)
        if (admin === undefined) throw alreadyThere()
        report('admin-registered', request, { admin: admin.id })
        return reply(200, await session(admin))
      },
    },
    {
      method: 'POST',
      path: '/admin/login',
      guard: open,
      documented: adminDescriptions.logIn,
      attempts: byBody('admin-login', 'email'),
      handle: async (request) => {
        const { email, password } = readLogin(request.body)
        const admin = await admins.verify(email, password)
        report(admin === undefined ? 'admin-login-failed' : 'admin-login', request, {
          admin: admin?.id ?? null,
        })
        if (admin === undefined) throw fail('application', { message: 'Invalid credentials' })
        return reply(200, await session(admin))
      },
    },
    {
      method: 'GET',
      path: '/admin/registration-info',
      guard: open,
      documented: adminDescriptions.registrationInfo,
      attempts: byAddress('registration-info'),
      handle: async ({ search }) => {
        const code = new URLSearchParams(search).get('registrationToken') ?? ''
        const admin = await admins.findInvited(code)
        if (admin === undefined) throw invalidInvitation()
        const { email, firstname, lastname } = admin
        return reply(200, { data: { email, firstname, lastname } })
      },
    },
    {
      method: 'POST',
      path: '/admin/register',
      guard: open,
      documented: adminDescriptions.register,
      attempts: byAddress('admin-register'),
      handle: async (request) => {
        const { registrationToken, acceptance } = readAcceptance(request.body)
        const admin = await admins.accept(registrationToken, acceptance, request.time)
        if (admin === undefined) throw invalidInvitation()
        report('admin-registered', request, { admin: admin.id })
        return reply(200, await session(admin))
      },
    },
    {
      method: 'POST',
      path: '/admin/forgot-password',
      guard: open,
      documented: adminDescriptions.forgotPassword,
      attempts: byBody('admin-forgot-password', 'email'),
      handle: async ({ body }) => {
        await admins.forgotPassword(readForgotten(body).email)
        return reply(204)
      },
    },
    {
      method: 'POST',
      path: '/admin/reset-password',
      guard: open,
      documented: adminDescriptions.resetPassword,
      attempts: byAddress('admin-reset-password'),
      handle: async (request) => {
        const { resetPasswordToken, password } = readReset(request.body)
        const admin = await admins.resetPassword(resetPasswordToken, password, request.time)
        if (admin === undefined) throw fail('validation', { message: 'Invalid resetPasswordToken' })
        report('admin-password-reset', request, { admin: admin.id })
        return reply(200, await session(admin))
      },
    },
    {
      method: 'GET',
      path: '/admin/users/me',
      guard,
      documented: adminDescriptions.readOwn,
      handle: async ({ caller }) => reply(200, { data: showAdmin(await me(caller)) }),
    },
    {
      method: 'PUT',
      path: '/admin/users/me',
      guard,
      documented: adminDescriptions.changeOwn,
      attempts: {
        of: 'admin-me',
        identifier: ({ caller }) => (caller.kind === 'admin' ? String(caller.admin.id) : ''),
      },
      handle: async (request) => {
        const { id, email } = await me(request.caller)
        const { change, currentPassword } = readOwnChange(request.body, { email })
        const changed = await admins.update(id, change, { currentPassword, time: request.time })
        if (changed === undefined) throw fail('unauthorized')
        report('admin-changed', request, { admin: id, changed: Object.keys(change) })
        // A new password has ended the JWT that the request came with.
        const token = change.password === undefined ? undefined : await admins.issueToken(id)
        return reply(200, { data: { ...showAdmin(changed.admin), token } })
      },
    },
  ]
}

const byAddress = (of: string): Attempts => ({ of, identifier: () => '' })

const alreadyThere = () => fail('application', { message: 'You cannot register a new super admin' })

const invalidInvitation = () => fail('validation', { message: 'Invalid registrationToken' })
