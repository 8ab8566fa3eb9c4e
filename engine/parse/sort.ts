import { fail } from '../errors.js'
import type { QueryNode } from './query-string.js'
import { isObject } from './query-string.js'
import type { RawSort } from './raw-query.js'

/**
 * `title:desc,author.name`, `sort[0]=title`, `sort[author][name]=desc` to keys in order of priority.
 * Empty members are passed over, as Strapi does; a direction other than asc and desc is a 400.
 */
export function parseSort(node: QueryNode): readonly RawSort[] {
  if (typeof node === 'string') return node.split(',').flatMap(parseKey)
  if (node === null) return []
  if (Array.isArray(node)) return node.flatMap((member: QueryNode) => parseSort(member))
  return parseObject(node as { readonly [key: string]: QueryNode }, [])
}

function parseKey(text: string): RawSort[] {
  const [path = '', order] = text.trim().split(':')
  const names = path.split('.').filter((name) => name !== '')
  if (names.length === 0) return []
  return [{ path: names, order: order === undefined ? 'asc' : parseOrder(order) }]
}

function parseObject(
  node: { readonly [key: string]: QueryNode },
  path: readonly string[],
): readonly RawSort[] {
  return Object.entries(node).flatMap(([key, value]) => {
    const inner = [...path, ...key.split('.').filter((name) => name !== '')]
    if (isObject(value)) return parseObject(value, inner)
    if (value === '' || value === null) return []
    return [{ path: inner, order: parseOrder(value) }]
  })
}

function parseOrder(value: QueryNode): 'asc' | 'desc' {
  const order = typeof value === 'string' ? value.toLowerCase() : ''
  if (order === 'asc' || order === 'desc') return order
  throw fail('validation', { message: 'Invalid order. order can only be one of asc|desc|ASC|DESC' })
}
