import { isObject } from '../../engine/values/is-object.js'

/** Returns all problems of an error as lines, which its message may not contain. */
export function refusalLines(error: unknown): readonly string[] {
  const { message, details } = (isObject(error) ? error : {}) as Readonly<{
    message?: unknown
    details?: unknown
  }>
  const errors = isObject(details) && Array.isArray(details.errors) ? details.errors : []
  const lines = errors.flatMap((one: unknown) =>
    isObject(one) && typeof one.message === 'string' ? [one.message] : [],
  )
  return lines.length > 0 ? lines : [typeof message === 'string' ? message : String(error)]
}
