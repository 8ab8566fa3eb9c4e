import type { AnyObject, ObjectSchema } from 'yup'
import { fail, failAll } from '../../../engine/errors.js'
import { isObject } from '../../../engine/values/is-object.js'
import { validateKnown, type Failure } from '../../../engine/values/validate-known.js'

/**
 * Validates a body by a schema. No body counts as an empty object. Keys that the schema does not name are left out.
 * Throws `validation` if the body is not an object, or with all failures in the order of the schema's keys. Errors have
 * the form of those of content (docs/coming-from-strapi.md, "Error messages"). Those of a `password` omit its value.
 */
export function validateBody<T extends AnyObject>(schema: ObjectSchema<T>, body: unknown): T {
  return validate(schema, body, ({ path }) => path.join('.') === 'password')
}

/**
 * The same for a body with passwords or codes, whose errors never show values. An invalid email address may be a
 * password that was typed into the wrong field.
 */
export function validateSecretBody<T extends AnyObject>(schema: ObjectSchema<T>, body: unknown): T {
  return validate(schema, body, () => true)
}

/** yup's messages about wrong types end with the value. */
const withoutValue = (message: string): string =>
  message.replace(/, but the final value was: .*$/s, '.')

function validate<T extends AnyObject>(
  schema: ObjectSchema<T>,
  body: unknown,
  isSecret: (failure: Failure) => boolean,
): T {
  if (body !== undefined && !isObject(body)) throw fail('validation', 'The body must be an object')
  const checked = validateKnown(schema, body ?? {})
  if ('value' in checked) return checked.value
  const errors = checked.failures.map((failure) => {
    const { path, message, value } = failure
    const about = { path, message, name: 'ValidationError' }
    return isSecret(failure) ? { ...about, message: withoutValue(message) } : { ...about, value }
  })
  throw failAll(errors)
}

/** Returns a 400 about a part of a request, in the form of errors of content. */
export const refusal = (
  message: string,
  path: readonly string[] = [],
  details: object = {},
): Error =>
  fail('validation', message, { errors: [{ path, message, name: 'ValidationError' }], ...details })

/** Returns the keys of a body that a schema does not name. */
export function unknownKeysOf(
  schema: Readonly<{ fields: object }>,
  body: unknown,
): readonly string[] {
  if (!isObject(body)) return []
  return Object.keys(body).filter((key) => !Object.hasOwn(schema.fields, key))
}
