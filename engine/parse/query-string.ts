import qs from 'qs'
import { fail } from '../errors.js'
import { exceeded } from '../exceeded.js'
import { maxDepth, maxParameters } from './parse-limits.js'

/** A query string as nested data: objects without prototype, arrays, text, and null for keys without `=`. */
export type QueryNode = string | null | readonly QueryNode[] | { readonly [key: string]: QueryNode }

const forbiddenKeys = /(?:^|[[\].])(__proto__|constructor|prototype)(?:$|[[\].])/

/**
 * `filters[title][$eq]=a` as `{ filters: { title: { $eq: 'a' } } }`.
 * Throws a 400 for keys that reach a prototype (D10), for nesting beyond 20 levels, and for arrays and
 * parameters beyond the limits, which qs by itself would drop or turn into something else.
 */
export function parseQueryString(
  search: string,
  maxArrayLength: number,
): Record<string, QueryNode> {
  try {
    return qs.parse(search, {
      depth: maxDepth,
      strictDepth: true,
      arrayLimit: maxArrayLength,
      parameterLimit: maxParameters,
      throwOnLimitExceeded: true,
      strictNullHandling: true,
      plainObjects: true,
      decoder: (text, decode, charset, kind) => {
        const decoded: unknown = decode(text, undefined, charset)
        if (kind === 'key') refusePrototypeKey(String(decoded))
        return decoded
      },
    }) as Record<string, QueryNode>
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw beyond(error.message, maxArrayLength)
  }
}

/** qs tells its limits apart by the words of its messages. */
function beyond(message: string, maxArrayLength: number): Error {
  if (message.startsWith('Array')) {
    return exceeded('An array of the query string', 'api.rest.maxArrayLength', maxArrayLength)
  }
  return message.startsWith('Parameter')
    ? exceeded('The number of parameters', 'parameters', maxParameters)
    : exceeded('The nesting of the query string', 'depth', maxDepth)
}

export function isObject(
  node: QueryNode | undefined,
): node is { readonly [key: string]: QueryNode } {
  return typeof node === 'object' && node !== null && !Array.isArray(node)
}

function refusePrototypeKey(key: string): void {
  const match = forbiddenKeys.exec(key)
  if (match !== null)
    throw fail('invalid-key', { key: match[1] }, { key: match[1], source: 'query' })
}
