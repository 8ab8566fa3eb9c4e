import type { Schema } from 'yup'
import { builtIn } from '../../../engine/schema/registry.js'
import type { Documented, EntrySchemas, JsonSchema } from '../../http/documented.js'
import { flag, members, text } from '../../http/json-schemas.js'

const tag = 'Authentication'

/** `{ jwt, user }`, and in sessions a refresh token where it is in no cookie. */
const loggedIn = ({ entry }: EntrySchemas): JsonSchema =>
  members({ jwt: text, user: entry(builtIn.user) }, { refreshToken: text })

/** No JWT before the address is confirmed. */
const registered = ({ entry }: EntrySchemas): JsonSchema =>
  members({ user: entry(builtIn.user) }, { jwt: text, refreshToken: text })

const logsIn = (id: string, summary: string, body: Schema): Documented => ({
  ...{ id, summary, tag, body, answers: { 200: loggedIn } },
})

/** What the API's document says of `/api/auth`; each with the body that its handler reads. */
export const authDescriptions = {
  logIn: (body: Schema) =>
    logsIn('logIn', 'Log in with a name or an address, and a password', body),
  register: (body: Schema): Documented => ({
    id: 'register',
    summary: 'Become a user',
    tag,
    body,
    answers: { 200: registered },
  }),
  changePassword: (body: Schema) =>
    logsIn('changePassword', 'Change the password of the user who calls', body),
  forgotPassword: (body: Schema): Documented => ({
    id: 'forgetPassword',
    summary: 'Have a code for a new password mailed',
    tag,
    body,
    answers: { 200: members({ ok: flag }) },
  }),
  resetPassword: (body: Schema) => logsIn('resetPassword', 'Choose a new password by a code', body),
  confirmEmail: {
    id: 'confirmEmail',
    summary: 'Confirm an address by the code that was mailed',
    tag,
    query: [{ name: 'confirmation', description: 'The code', schema: text, required: true }],
    answers: { 302: 'empty' },
  },
  sendConfirmation: (body: Schema): Documented => ({
    id: 'sendEmailConfirmation',
    summary: 'Have the code that confirms an address mailed again',
    tag,
    body,
    answers: { 200: members({ email: text, sent: flag }) },
  }),
  refresh: {
    id: 'refreshSession',
    summary: 'A new JWT for a refresh token, of the body or of a cookie',
    tag,
    body: { type: 'object', properties: { refreshToken: text } },
    bodyOptional: true,
    answers: { 200: members({ jwt: text }, { refreshToken: text }) },
    errors: [401, 403],
  },
  logOut: {
    id: 'logOut',
    summary: 'End the session, those of a device, or all',
    tag,
    body: { type: 'object', properties: { deviceId: text, scope: { enum: ['all'] } } },
    bodyOptional: true,
    answers: { 200: members({ ok: flag }) },
  },
} as const

/** What the API's document says of logins by providers. */
export const connectDescriptions: Readonly<Record<'begin' | 'takeBack' | 'finish', Documented>> = {
  begin: {
    id: 'connect',
    summary: 'Send a browser to a provider of logins',
    tag,
    query: [
      { name: 'callback', description: 'Which of the configured pages is led to', schema: text },
    ],
    answers: { 302: 'empty' },
    errors: [502],
  },
  takeBack: {
    id: 'takeLoginBack',
    summary: 'Where a provider sends the browser back to',
    tag,
    answers: { 302: 'empty' },
    errors: [502],
  },
  finish: {
    id: 'finishLogin',
    summary: 'Log in with what the page was called with',
    tag,
    query: [{ name: 'access_token', description: 'Of the page', schema: text, required: true }],
    answers: { 200: loggedIn },
  },
}
