import type { Documented, QueryParameter } from '../../http/documented.js'
import {
  flag,
  inData,
  list,
  members,
  moment,
  text,
  textOrNull,
  whole,
} from '../../http/json-schemas.js'
import * as bodies from './admin-bodies.js'

const shown = {
  id: whole,
  documentId: text,
  firstname: textOrNull,
  lastname: textOrNull,
  username: textOrNull,
  email: text,
  isActive: flag,
  blocked: flag,
  createdAt: moment,
  updatedAt: moment,
}
const admin = inData(members(shown))
const session = inData(members({ token: text, user: members(shown) }))
const tag = 'Admins'

const page = (name: string): QueryParameter => ({
  ...{ name, description: 'Of the list', schema: { type: 'integer', minimum: 1 } },
})

/** What the API's document says of the endpoints of admins. */
export const adminDescriptions = {
  registerFirst: {
    id: 'registerFirstAdmin',
    summary: 'Become the first admin, while there is none',
    tag,
    body: bodies.firstBody,
    answers: { 200: session },
  },
  logIn: {
    id: 'logAdminIn',
    summary: 'Log in as an admin',
    tag,
    body: bodies.loginBody,
    answers: { 200: session },
  },
  registrationInfo: {
    id: 'readInvitation',
    summary: 'Whom an invitation is for',
    tag,
    query: [
      { name: 'registrationToken', description: 'Of the invitation', schema: text, required: true },
    ],
    answers: {
      200: inData(members({ email: text, firstname: textOrNull, lastname: textOrNull })),
    },
  },
  register: {
    id: 'acceptInvitation',
    summary: 'Become an admin by an invitation',
    tag,
    body: {
      type: 'object',
      required: ['registrationToken', 'userInfo'],
      properties: { registrationToken: text, userInfo: { type: 'object', required: ['password'] } },
    },
    answers: { 200: session },
  },
  forgotPassword: {
    id: 'forgetAdminPassword',
    summary: 'Have a code for a new password mailed',
    tag,
    body: bodies.forgotBody,
    answers: { 204: 'empty' },
  },
  resetPassword: {
    id: 'resetAdminPassword',
    summary: 'Choose a new password by a code',
    tag,
    body: bodies.resetBody,
    answers: { 200: session },
  },
  readOwn: { id: 'readOwnAdmin', summary: 'The admin who calls', tag, answers: { 200: admin } },
  changeOwn: {
    id: 'changeOwnAdmin',
    summary: 'Change the admin who calls',
    tag,
    body: bodies.ownBody,
    answers: { 200: inData(members(shown, { token: text })) },
  },
  list: {
    id: 'listAdmins',
    summary: 'The admins',
    tag,
    query: [page('page'), page('pageSize')],
    answers: {
      200: inData(
        members({
          results: list(members(shown)),
          pagination: members({ page: whole, pageSize: whole, pageCount: whole, total: whole }),
        }),
      ),
    },
  },
  create: {
    id: 'createAdmin',
    summary: 'Make an admin, or invite one by giving no password',
    tag,
    body: bodies.newBody,
    answers: { 201: inData(members(shown, { registrationToken: text })) },
  },
  read: { id: 'readAdmin', summary: 'An admin', tag, answers: { 200: admin } },
  change: {
    id: 'changeAdmin',
    summary: 'Change an admin',
    tag,
    body: bodies.changeBody,
    answers: { 200: inData(members(shown, { registrationToken: text })) },
  },
  remove: { id: 'deleteAdmin', summary: 'Delete an admin', tag, answers: { 200: admin } },
} as const satisfies Record<string, Documented>
