import { boolean, mixed, object, type ObjectSchema } from 'yup'
import { fail } from '../../../engine/errors.js'
import { emailRule } from '../email-rule.js'
import { passwordRule } from '../password-rule.js'
import { normalUsername, usernameRule } from './username-rule.js'
import { validateBody } from '../../http/request/validate-body.js'
import { objectOf } from '../../../engine/values/is-object.js'

/** Body of `/api/users`. Attributes of the project are validated when the user is written. */
export type UserData = Readonly<{
  username?: string
  email?: string
  password?: string
  [attribute: string]: unknown
}>

const flags = { confirmed: boolean(), blocked: boolean() }

/** Body of a create request. */
export const newUser = object({
  email: emailRule.max(254).required(),
  username: usernameRule.required(),
  password: passwordRule.required(),
  role: mixed().required(),
  ...flags,
})

/** Body of an update request. */
export const changedUser = object({
  email: emailRule.max(254),
  username: usernameRule,
  password: passwordRule,
  role: mixed(),
  ...flags,
})

/** Throws `validation` for an invalid body, and `invalid-key` for a field that only the service writes. */
export function readUser(schema: ObjectSchema<UserData>, body: unknown): UserData {
  validateBody(schema, body)
  const data: UserData = objectOf(body)
  const secret = secrets.find((key) => Object.hasOwn(data, key))
  if (secret !== undefined)
    throw fail('invalid-key', { key: secret }, { key: secret, source: 'body' })
  const { email, username } = data
  return {
    ...data,
    ...(email && { email: email.toLowerCase() }),
    ...(username && { username: normalUsername(username) }),
  }
}

const secrets = ['resetPasswordToken', 'confirmationToken']
