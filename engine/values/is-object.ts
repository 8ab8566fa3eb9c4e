/** An object with members. */
export type PlainObject = Readonly<Record<string, unknown>>

/** Whether a value is an object with members, and neither a list nor null. */
export function isObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the value itself if it is an object with members; otherwise an empty object. */
export const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  isObject(value) ? value : {}
