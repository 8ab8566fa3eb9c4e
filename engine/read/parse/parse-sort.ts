import type { Count } from './bounds.js'
import { countTo } from './bounds.js'
import type { Parsing } from './parse-limits.js'
import { countMembers } from './parse-limits.js'
import { membersOf, namesOf, splitWord } from './pieces.js'
import type { QueryNode } from './brackets.js'
import { isObject } from '../../values/is-object.js'
import type { RawSort } from './raw-query.js'
import { refusedValue } from './refused-value.js'

/**
 * Parses `title:desc,author.name`, `sort[0]=title` or `sort[author][name]=desc`. Skips empty members, as Strapi does.
 * Throws a 400 for an unknown direction, and for a path beyond the maximum depth of populate.
 */
export function parseSort(node: QueryNode, parsing: Parsing): readonly RawSort[] {
  const keys: RawSort[] = []
  parseNode(node, parsing, countMembers('sort', parsing.limits), keys)
  return keys
}

function parseNode(node: QueryNode, parsing: Parsing, count: Count, keys: RawSort[]): void {
  if (node === null) return
  if (typeof node === 'string') {
    for (const key of membersOf(node, count)) parseKey(key, parsing, keys)
  } else if (isObject(node)) {
    parseObject(node, [], parsing, count, keys)
  } else {
    for (const member of node) parseNode(member, parsing, count, keys)
  }
}

function parseKey(text: string, parsing: Parsing, keys: RawSort[]): void {
  const [names, order] = splitWord(text, parsing.colonNames)
  const path = extend([], names, parsing)
  if (path.length === 0) return
  // Of several directions, the first one counts.
  const [first] = order?.split(':', 1) ?? []
  keys.push({ path, order: first === undefined ? 'asc' : parseOrder(first, path) })
}

function parseObject(
  node: { readonly [key: string]: QueryNode },
  path: readonly string[],
  parsing: Parsing,
  count: Count,
  keys: RawSort[],
): void {
  for (const [key, value] of Object.entries(node)) {
    const inner = extend(path, key, parsing)
    if (isObject(value)) parseObject(value, inner, parsing, count, keys)
    else if (value !== '' && value !== null) {
      count()
      keys.push({ path: inner, order: parseOrder(value, inner) })
    }
  }
}

/** Appends names to a path. The number of relations and components before the last name is limited. */
function extend(path: readonly string[], names: string, { limits }: Parsing): readonly string[] {
  const step = countTo(
    limits.maxPopulateDepth,
    'The path of a sort key',
    'api.rest.maxPopulateDepth',
    path.length - 1,
  )
  const inner = [...path]
  for (const name of namesOf(names)) {
    step()
    inner.push(name)
  }
  return inner
}

function parseOrder(value: QueryNode, path: readonly string[]): 'asc' | 'desc' {
  const order = typeof value === 'string' ? value.toLowerCase() : ''
  if (order === 'asc' || order === 'desc') return order
  const message = 'Invalid order. order can only be one of asc|desc|ASC|DESC'
  throw refusedValue(message, { param: 'sort', path }, 'asc or desc', value)
}
