import { fail } from '../../../engine/errors.js'
import type { Admin, AccessControl } from '../access-control.js'
import type { Caller } from '../caller.js'
import { inData, members, text, textOrNull } from '../../http/json-schemas.js'
import { byBody, reply, type Attempts, type Route } from '../../http/route.js'
import {
  adminAnswer,
  adminMembers,
  firstBody,
  forgotBody,
  loginBody,
  ownBody,
  resetBody,
  readAcceptance,
  readFirst,
  readForgotten,
  readLogin,
  readOwnChange,
  readReset,
  showAdmin,
} from './admin-bodies.js'

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
      documented: {
        id: 'registerFirstAdmin',
        summary: 'Become the first admin, while there is none',
        tag,
        body: firstBody,
        answers: { 200: sessionAnswer },
      },
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
      documented: {
        id: 'logAdminIn',
        summary: 'Log in as an admin',
        tag,
        body: loginBody,
        answers: { 200: sessionAnswer },
      },
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
      documented: {
        id: 'readInvitation',
        summary: 'Whom an invitation is for',
        tag,
        query: [
          {
            name: 'registrationToken',
            description: 'Of the invitation',
            schema: text,
            required: true,
          },
        ],
        answers: {
          200: inData(members({ email: text, firstname: textOrNull, lastname: textOrNull })),
        },
      },
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
      documented: {
        id: 'acceptInvitation',
        summary: 'Become an admin by an invitation',
        tag,
        body: {
          type: 'object',
          required: ['registrationToken', 'userInfo'],
          properties: {
            registrationToken: text,
            userInfo: { type: 'object', required: ['password'] },
          },
        },
        answers: { 200: sessionAnswer },
      },
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
      documented: {
        id: 'forgetAdminPassword',
        summary: 'Have a code for a new password mailed',
        tag,
        body: forgotBody,
        answers: { 204: 'empty' },
      },
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
      documented: {
        id: 'resetAdminPassword',
        summary: 'Choose a new password by a code',
        tag,
        body: resetBody,
        answers: { 200: sessionAnswer },
      },
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
      documented: {
        id: 'readOwnAdmin',
        summary: 'The admin who calls',
        tag,
        answers: { 200: adminAnswer },
      },
      handle: async ({ caller }) => reply(200, { data: showAdmin(await me(caller)) }),
    },
    {
      method: 'PUT',
      path: '/admin/users/me',
      guard,
      documented: {
        id: 'changeOwnAdmin',
        summary: 'Change the admin who calls',
        tag,
        body: ownBody,
        answers: { 200: inData(members(adminMembers, { token: text })) },
      },
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

const sessionAnswer = inData(members({ token: text, user: members(adminMembers) }))
const tag = 'Admins'
