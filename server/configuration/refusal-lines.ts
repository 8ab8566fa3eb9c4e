import { isObject } from '../../engine/values/is-object.js'

/** Returns all problems of an error as lines. Its message may not contain them all. */
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
