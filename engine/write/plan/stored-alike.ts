import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../values/is-object.js'

/**
 * Whether two values are stored in the same way. The order of object keys matters, because responses preserve it.
 * `isDeepStrictEqual` compares what is not a plain object or list, such as dates and BSON numbers.
 */
export function isStoredAlike(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, at) => isStoredAlike(item, b[at]))
  if (!isPlain(a) || !isPlain(b)) return Object.is(a, b) || isDeepStrictEqual(a, b)
  const names = Object.keys(a)
  const others = Object.keys(b)
  return (
    names.length === others.length &&
    names.every((name, at) => name === others[at] && isStoredAlike(a[name], b[name]))
  )
}

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && Object.getPrototypeOf(value) === Object.prototype
