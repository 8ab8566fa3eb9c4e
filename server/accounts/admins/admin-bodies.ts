import { boolean, object, string } from 'yup'
import { emailAddress, emailRule } from '../../../engine/values/email-address.js'
import { fail } from '../../../engine/errors.js'
import type { Acceptance, Admin, AdminChange, AdminDraft } from '../access-control.js'
import { adminPasswordRule } from '../password-rule.js'
import { flag, inData, members, moment, text, textOrNull, whole } from '../../http/json-schemas.js'
import type { Json } from '../../http/route.js'
import { validateSecretBody } from '../../http/validate-body.js'
import { isObject } from '../../../engine/values/is-object.js'

const password = adminPasswordRule
const email = string().matches(emailAddress, emailRule).max(254)
const name = string().min(1).max(255)

export const newBody = object({
  firstname: name.required(),
  lastname: name.nullable(),
  email: email.required(),
  password,
})

/** A new admin; without a password it is one who is invited. Throws `validation`. */
export function readDraft(
  body: unknown,
): Omit<AdminDraft, 'password'> & Readonly<{ password?: string | undefined }> {
  const { lastname, ...rest } = validateSecretBody(newBody, body)
  return {
    ...rest,
    lastname: lastname ?? null,
  }
}

export const firstBody = newBody.shape({ password: password.required() })

/** The first admin, who has a password. */
export function readFirst(body: unknown): AdminDraft {
  const { lastname, ...rest } = validateSecretBody(firstBody, body)
  return { ...rest, lastname: lastname ?? null }
}

export const loginBody = object({ email: string().required(), password: string().required() })

export const readLogin = (body: unknown) => validateSecretBody(loginBody, body)

const ownNames = { firstname: name, lastname: name.nullable(), username: name.nullable() }

export const changeBody = object({
  ...ownNames,
  email,
  password,
  isActive: boolean(),
  blocked: boolean(),
})

/** What a body changes of an admin; what it does not name stays. */
export const readChange = (body: unknown): AdminChange =>
  present(validateSecretBody(changeBody, body))

export const ownBody = object({ ...ownNames, email, password, currentPassword: string() })

/** What admins change of themselves: for what one logs in with, they name the password they have. */
export function readOwnChange(
  body: unknown,
  { email }: Pick<Admin, 'email'>,
): Readonly<{ change: AdminChange; currentPassword: string | undefined }> {
  const { currentPassword, ...change } = validateSecretBody(ownBody, body)
  if (changesLogin(change, email) && currentPassword === undefined)
    throw fail('validation', { message: 'currentPassword is a required field' })
  return { change: present(change), currentPassword }
}

/** Whether a change is of what an admin with this address logs in with. */
export const changesLogin = (
  change: Readonly<{ email?: string | undefined; password?: string | undefined }>,
  email: string,
): boolean =>
  change.password !== undefined ||
  (change.email !== undefined && change.email.toLowerCase() !== email)

export const forgotBody = object({ email: email.required() })

export const readForgotten = (body: unknown) => validateSecretBody(forgotBody, body)

export const resetBody = object({
  resetPasswordToken: string().required(),
  password: password.required(),
})

export const readReset = (body: unknown) => validateSecretBody(resetBody, body)

const acceptBody = object({
  firstname: name,
  lastname: name.nullable(),
  password: password.required(),
})

/** `{ registrationToken, userInfo: { firstname, lastname, password } }`, as Strapi's admin panel sends it. */
export function readAcceptance(
  body: unknown,
): Readonly<{ registrationToken: string; acceptance: Acceptance }> {
  const { registrationToken, userInfo } = isObject(body) ? body : {}
  if (typeof registrationToken !== 'string')
    throw fail('validation', { message: 'registrationToken is a required field' })
  const { password: chosen, ...names } = validateSecretBody(
    acceptBody,
    isObject(userInfo) ? userInfo : {},
  )
  return { registrationToken, acceptance: { ...present(names), password: chosen } }
}

/** An admin as answers show them. */
export const showAdmin = (admin: Admin): { readonly [key: string]: Json } => ({
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

/** The JSON schemas of what `showAdmin` returns. */
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

export const adminAnswer = inData(members(adminMembers))

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

const present = <T extends object>(data: T): Present<T> =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined)) as Present<T>
