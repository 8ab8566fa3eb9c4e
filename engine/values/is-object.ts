/** An object with members. */
export type PlainObject = Readonly<Record<string, unknown>>

/** Whether a value of JSON, or what was read like it, is an object with members: neither a list nor null. */
export function isObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The same value, or an object without members for any other. */
export const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  isObject(value) ? value : {}
