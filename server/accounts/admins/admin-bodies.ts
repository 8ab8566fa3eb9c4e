import { boolean, object, string, type InferType } from 'yup'
import { fail } from '../../../engine/errors.js'
import type { Admin } from './admin-accounts.js'
import { emailRule } from '../email-rule.js'
import { adminPasswordRule } from '../password-rule.js'
import {
  flag,
  inData,
  members,
  moment,
  text,
  textOrNull,
  whole,
} from '../../http/routes/json-schemas.js'
import { showMembers } from '../../http/response/show-members.js'
import { validateSecretBody } from '../../http/request/validate-body.js'
import { objectOf } from '../../../engine/values/is-object.js'

const password = adminPasswordRule
const email = emailRule.max(254)
const name = string().min(1).max(255)

/** Body of a create request. Without a password, the admin is invited. */
export const newBody = object({
  firstname: name.required(),
  lastname: name.nullable(),
  email: email.required(),
  password,
})

/** Body of the request that creates the first admin. */
export const firstBody = newBody.shape({ password: password.required() })

export const loginBody = object({ email: string().required(), password: string().required() })

const ownNames = { firstname: name, lastname: name.nullable(), username: name.nullable() }

export const changeBody = object({
  ...ownNames,
  email,
  password,
  isActive: boolean(),
  blocked: boolean(),
})

/** Changes to an admin. Absent members stay unchanged. */
export type AdminChange = InferType<typeof changeBody>

export const ownBody = object({ ...ownNames, email, password, currentPassword: string() })

/** Reads an admin's change to their own account. A new e-mail address or password requires `currentPassword`. */
export function readOwnChange(body: unknown, email: string) {
  const { currentPassword, ...change } = validateSecretBody(ownBody, body)
  if (changesLogin(change, email) && currentPassword === undefined)
    throw fail('validation', 'currentPassword is a required field')
  return { change, currentPassword }
}

/** Returns whether a change replaces the password or the e-mail address. `email` is the current address. */
export const changesLogin = (change: AdminChange, email: string): boolean =>
  change.password !== undefined ||
  (change.email !== undefined && change.email.toLowerCase() !== email)

export const forgotBody = object({ email: email.required() })

export const resetBody = object({
  resetPasswordToken: string().required(),
  password: password.required(),
})

const acceptBody = object({
  firstname: name,
  lastname: name.nullable(),
  password: password.required(),
})

/** Body of the request that accepts an invitation. */
export type Acceptance = InferType<typeof acceptBody>

/** Reads what Strapi's admin panel sends: `{ registrationToken, userInfo: { firstname, lastname, password } }`. */
export function readAcceptance(body: unknown) {
  const { registrationToken, userInfo } = objectOf(body)
  if (typeof registrationToken !== 'string')
    throw fail('validation', 'registrationToken is a required field')
  const acceptance = validateSecretBody(acceptBody, objectOf(userInfo))
  return { registrationToken, acceptance }
}

export const adminMembers = {
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

/** Returns the public fields of an admin. */
export const showAdmin = (admin: Admin) => showMembers(adminMembers, admin)

export const adminAnswer = inData(members(adminMembers))
export const invitedAnswer = inData(members(adminMembers, { registrationToken: text }))
