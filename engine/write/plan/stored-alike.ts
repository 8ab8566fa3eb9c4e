import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../values/is-object.js'

/**
 * Whether two values of a version are stored alike. The order of keys counts, because JSON is shown in it. Nearly all
 * values are plain and are compared in one pass. Node compares other types (dates, numbers of the driver).
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
