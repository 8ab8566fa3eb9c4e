import { fail } from '../../errors.js'
import { suggestionFor } from '../../errors/nearest-name.js'
import type { QueryNode } from './brackets.js'
import { isObject } from '../../values/is-object.js'
import type { RawNumber, RawPagination } from './raw-query.js'
import { refusedParameter } from './refused-value.js'

const numbers = ['page', 'pageSize', 'start', 'limit'] as const
const names = [...numbers, 'withCount']
type NumberKey = (typeof numbers)[number]
const isNumberKey = (key: string): key is NumberKey => (numbers as readonly string[]).includes(key)

export const isPaginationKey = (key: string): boolean => names.includes(key)

/**
 * Parses `pagination[page]=2&…`. Adds unknown keys to `ignored`. Without `ignored`, throws a 400 for an unknown key.
 */
export function parsePagination(
  node: QueryNode,
  param = 'pagination',
  ignored?: string[],
): RawPagination {
  if (!isObject(node)) {
    if (ignored !== undefined) {
      ignored.push(param)
      return {}
    }
    throw refusedParameter(
      'Invalid pagination parameter. Expected an object',
      param,
      'an object',
      node,
    )
  }
  const pagination: { -readonly [K in keyof RawPagination]: RawPagination[K] } = {}
  for (const [key, value] of Object.entries(node)) {
    if (isNumberKey(key)) pagination[key] = parseNumber(value)
    else if (key === 'withCount') pagination.withCount = typeof value === 'string' ? value : ''
    else if (ignored !== undefined) ignored.push(`${param}.${key}`)
    else {
      throw fail(
        'invalid-key',
        { key, path: 'pagination' },
        { key, path: 'pagination', source: 'query', param, ...suggestionFor(key, names) },
      )
    }
  }
  return pagination
}

/** An empty string is 0, as in `Number('')`; a list or an object is NaN. */
function parseNumber(value: QueryNode): RawNumber {
  return typeof value === 'string' ? Number(value) : NaN
}
