import { ValidationError, type AnyObject, type ObjectSchema } from 'yup'

/** A validation error of yup. */
export type Failure = Readonly<{ path: readonly string[]; message: string; value: unknown }>

/** Validates only the members that the schema defines. Returns all errors in the order of the schema's keys. */
export function validateKnown<T extends AnyObject>(
  schema: ObjectSchema<T>,
  object: Readonly<Record<string, unknown>>,
): Readonly<{ value: T }> | Readonly<{ failures: readonly Failure[] }> {
  const known = Object.keys(schema.fields).filter((key) => Object.hasOwn(object, key))
  const named = Object.fromEntries(known.map((key) => [key, object[key]]))
  try {
    return { value: schema.validateSync(named, { abortEarly: false, strict: true }) as T }
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    return {
      failures: error.inner.map(({ path = '', message, value }) => ({
        path: path.split(/[.[\]]/).filter((part) => part !== ''),
        message,
        value: value as unknown,
      })),
    }
  }
}
