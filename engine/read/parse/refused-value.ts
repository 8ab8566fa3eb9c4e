import { fail } from '../../errors.js'
import type { QueryNode } from './brackets.js'
import type { Place } from './raw-query.js'
import { maxValueLength } from './raw-query.js'

/** Returns the 400 for a value of a query. `received` is absent if the message is about more than one value. */
export function refusedValue(
  message: string,
  { param, path }: Place,
  expected: string,
  received?: QueryNode,
): Error {
  return fail('validation', message, {
    path: path.length === 0 ? null : path.join('.'),
    source: 'query',
    param,
    expected,
    ...(received === undefined ? {} : { received: shown(received) }),
  })
}

/** Returns the 400 for a whole parameter. */
export function refusedParameter(
  message: string,
  param: string,
  expected: string,
  received?: QueryNode,
): Error {
  return refusedValue(message, { param, path: [] }, expected, received)
}

/** Returns the 400 for a string that is longer than `maxValueLength`. */
export function valueTooLong(what: string, { param, path }: Place): Error {
  const bound = 'characters of a value'
  const details = { path: path.length === 0 ? null : path.join('.'), source: 'query', param }
  const limit = maxValueLength
  return fail('limit-exceeded', { what, bound, limit }, { ...details, bound, limit })
}

const shown = (node: QueryNode): string =>
  typeof node === 'string' ? node.slice(0, 100) : kindOf(node)

export function kindOf(node: QueryNode): string {
  return Array.isArray(node) ? 'array' : node === null ? 'null' : typeof node
}
