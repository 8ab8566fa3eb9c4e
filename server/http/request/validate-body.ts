import type { AnyObject, ObjectSchema } from 'yup'
import { fail, failAll } from '../../../engine/errors.js'
import { isObject } from '../../../engine/values/is-object.js'
import { validateKnown, type Failure } from '../../../engine/values/validate-known.js'

/**
 * Validates a body, and removes unknown keys. A missing body counts as an empty object. Throws `validation` with all
 * failures, in the same format as for entries (docs/internals/strapi-behaviour.md, "Error messages"), without the value
 * of a `password`.
 */
export function validateBody<T extends AnyObject>(schema: ObjectSchema<T>, body: unknown): T {
  return validate(schema, body, ({ path }) => path.join('.') === 'password')
}

/**
 * Validates a body with passwords or codes. Errors show no value: even the value of `email` may be a password, typed
 * into the wrong field.
 */
export function validateSecretBody<T extends AnyObject>(schema: ObjectSchema<T>, body: unknown): T {
  return validate(schema, body, () => true)
}

/** Removes the value at the end of yup's messages about wrong types. */
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

/** Returns a 400 about one part of a request, in the same format as for invalid entries. */
export const refusal = (
  message: string,
  path: readonly string[] = [],
  details: object = {},
): Error =>
  fail('validation', message, { errors: [{ path, message, name: 'ValidationError' }], ...details })

/** Returns the keys of a body that are not in a schema. */
export function unknownKeysOf(
  schema: Readonly<{ fields: object }>,
  body: unknown,
): readonly string[] {
  if (!isObject(body)) return []
  return Object.keys(body).filter((key) => !Object.hasOwn(schema.fields, key))
}
