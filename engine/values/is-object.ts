/** An object that is not a list. */
export type PlainObject = Readonly<Record<string, unknown>>

/** Whether a value is an object, but neither a list nor null. */
export function isObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the value if it is an object; otherwise an empty object. */
export const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  isObject(value) ? value : {}
