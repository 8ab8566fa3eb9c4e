import { fail } from '../../../engine/errors.js'
import type { AccessFeature } from '../create-access.js'
import type { Admin } from './admin-accounts.js'
import { inData, members, object, text, textOrNull } from '../../http/routes/json-schemas.js'
import {
  byAddress,
  byBody,
  dataReply,
  reply,
  type HttpRequest,
  type Route,
} from '../../http/route.js'
import { routesOf } from '../../http/routes/routes-of.js'
import { validateSecretBody } from '../../http/request/validate-body.js'
import {
  adminAnswer,
  adminMembers,
  firstBody,
  forgotBody,
  loginBody,
  ownBody,
  resetBody,
  readAcceptance,
  readOwnChange,
  showAdmin,
} from './admin-bodies.js'

/** Routes for an admin's own account (docs/internals/decisions.md, "Admins are apart"). Bodies are as in Strapi. */
export function adminSessionRoutes({ admins, report }: AccessFeature): readonly Route[] {
  const session = async (admin: Admin) =>
    dataReply({ token: await admins.issueToken(admin.id), user: showAdmin(admin) })
  const me = async ({ caller }: HttpRequest): Promise<Admin> => {
    const admin = caller.kind === 'admin' ? await admins.find(caller.admin.id) : undefined
    if (admin === undefined) throw fail('unauthorized')
    return admin
  }
  return routesOf(
    { guard: 'open', tag: 'Admins' },
    {
      'POST /admin/register-admin': {
        id: 'registerFirstAdmin',
        summary: 'Register the first admin, if there is none',
        body: firstBody,
        answer: sessionAnswer,
        attempts: byBody('register-admin', 'email'),
        handle: async (request) => {
          if ((await admins.count()) > 0) throw alreadyThere()
          const { lastname = null, ...first } = validateSecretBody(firstBody, request.body)
          const admin = await admins.createFirst({ ...first, lastname }, request.time)
          if (admin === undefined) throw alreadyThere()
          report('admin-registered', request, { admin: admin.id })
          return session(admin)
        },
      },
      'POST /admin/login': {
        id: 'logAdminIn',
        summary: 'Log in as an admin',
        body: loginBody,
        answer: sessionAnswer,
        attempts: byBody('admin-login', 'email'),
        handle: async (request) => {
          const { email, password } = validateSecretBody(loginBody, request.body)
          const admin = await admins.verify(email, password)
          report(admin === undefined ? 'admin-login-failed' : 'admin-login', request, {
            admin: admin?.id ?? null,
          })
          if (admin === undefined) throw fail('application', 'Invalid credentials')
          return session(admin)
        },
      },
      'GET /admin/registration-info': {
        id: 'readInvitation',
        summary: 'Show the admin that an invitation is for',
        query: [
          {
            name: 'registrationToken',
            description: 'Of the invitation',
            schema: text,
            required: true,
          },
        ],
        answer: inData(members({ email: text, firstname: textOrNull, lastname: textOrNull })),
        attempts: byAddress('registration-info'),
        handle: async ({ search }) => {
          const code = new URLSearchParams(search).get('registrationToken') ?? ''
          const admin = await admins.findInvited(code)
          if (admin === undefined) throw invalidInvitation()
          const { email, firstname, lastname } = admin
          return dataReply({ email, firstname, lastname })
        },
      },
      'POST /admin/register': {
        id: 'acceptInvitation',
        summary: 'Register an invited admin',
        body: {
          type: 'object',
          required: ['registrationToken', 'userInfo'],
          properties: {
            registrationToken: text,
            userInfo: { ...object, required: ['password'] },
          },
        },
        answer: sessionAnswer,
        attempts: byAddress('admin-register'),
        handle: async (request) => {
          const { registrationToken, acceptance } = readAcceptance(request.body)
          const admin = await admins.accept(registrationToken, acceptance, request.time)
          if (admin === undefined) throw invalidInvitation()
          report('admin-registered', request, { admin: admin.id })
          return session(admin)
        },
      },
      'POST /admin/forgot-password': {
        id: 'forgetAdminPassword',
        summary: 'Request a mail with a code for a new password',
        body: forgotBody,
        answers: { 204: 'empty' },
        attempts: byBody('admin-forgot-password', 'email'),
        handle: async ({ body }) => {
          await admins.forgotPassword(validateSecretBody(forgotBody, body).email)
          return reply(204)
        },
      },
      'POST /admin/reset-password': {
        id: 'resetAdminPassword',
        summary: 'Set a new password with a code',
        body: resetBody,
        answer: sessionAnswer,
        attempts: byAddress('admin-reset-password'),
        handle: async (request) => {
          const { resetPasswordToken, password } = validateSecretBody(resetBody, request.body)
          const admin = await admins.resetPassword(resetPasswordToken, password, request.time)
          if (admin === undefined) throw fail('validation', 'Invalid resetPasswordToken')
          report('admin-password-reset', request, { admin: admin.id })
          return session(admin)
        },
      },
      'GET /admin/users/me': {
        id: 'readOwnAdmin',
        summary: 'Show the calling admin',
        guard: 'admin',
        answer: adminAnswer,
        handle: async (request) => dataReply(showAdmin(await me(request))),
      },
      'PUT /admin/users/me': {
        id: 'changeOwnAdmin',
        summary: 'Change the calling admin',
        guard: 'admin',
        body: ownBody,
        answer: inData(members(adminMembers, { token: text })),
        attempts: {
          of: 'admin-me',
          identifier: ({ caller }) => (caller.kind === 'admin' ? String(caller.admin.id) : ''),
        },
        handle: async (request) => {
          const { id, email } = await me(request)
          const { change, currentPassword } = readOwnChange(request.body, email)
          const changed = await admins.update(id, change, { currentPassword, time: request.time })
          if (changed === undefined) throw fail('unauthorized')
          report('admin-changed', request, { admin: id, changed: Object.keys(change) })
          // The new password invalidates the JWT of this request.
          const token = change.password === undefined ? undefined : await admins.issueToken(id)
          return dataReply({ ...showAdmin(changed.admin), token })
        },
      },
    },
  )
}

const alreadyThere = () => fail('application', 'You cannot register a new super admin')

const invalidInvitation = () => fail('validation', 'Invalid registrationToken')

const sessionAnswer = inData(members({ token: text, user: members(adminMembers) }))
