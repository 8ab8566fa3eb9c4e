import { fail } from '../errors.js'
import type { Count } from '../exceeded.js'
import { suggestionFor } from '../nearest-name.js'
import { maxValueLength } from './parse-limits.js'
import type { Parsing } from './parsing.js'
import type { QueryNode } from './query-string.js'
import { isObject } from './query-string.js'
import type { ComparisonOperator, RawFilter, RawValue } from './raw-query.js'
import { comparisonOperators } from './raw-query.js'

const operators: ReadonlySet<string> = new Set(comparisonOperators)
const logicalOperators = ['$and', '$or', '$not']
const isOperator = (key: string): key is ComparisonOperator => operators.has(key)

/** Where an error is: the parameter it came in, and the names of attributes on the way. */
type Place = Readonly<{ param: string; path: readonly string[]; count: Count }>

/**
 * `filters[author][name][$eqi]=ana` to a tree. Throws a 400 for what is no filter: an unknown operator,
 * a logical operator without a list, a value that is too long, more conditions than there may be.
 * Nothing is dropped. Its recursion follows brackets, whose depth is bounded.
 */
export function parseFilters(
  node: QueryNode,
  { condition }: Parsing,
  param = 'filters',
): RawFilter {
  const place = { param, path: [], count: condition }
  if (!isObject(node)) {
    throw Array.isArray(node)
      ? invalid('Invalid filters. Expected an object of attributes and operators', place)
      : fail('validation', { message: 'The filters parameter must be an object or an array' })
  }
  return parseObject(node, place)
}

function parseNode(node: QueryNode, place: Place): RawFilter {
  if (isObject(node)) return parseObject(node, place)
  if (Array.isArray(node)) return { kind: 'is', operator: '$in', values: parseValues(node, place) }
  return { kind: 'is', operator: '$eq', values: parseValues([node], place) }
}

function parseObject(node: { readonly [key: string]: QueryNode }, place: Place): RawFilter {
  const members = Object.entries(node).map(([key, value]) => parseMember(key, value, place))
  return members.length === 1 && members[0] !== undefined
    ? members[0]
    : { kind: 'all', of: members }
}

function parseMember(key: string, value: QueryNode, place: Place): RawFilter {
  place.count()
  if (key === '$and' || key === '$or') {
    if (!Array.isArray(value)) throw invalid(`Invalid ${key}. Expected an array of filters`, place)
    return {
      kind: key === '$and' ? 'all' : 'any',
      of: value.map((member: QueryNode) => parseOperand(key, member, place)),
    }
  }
  if (key === '$not') {
    return { kind: 'not', of: parseNot(value, place) }
  }
  if (isOperator(key)) return parseComparison(key, value, place)
  if (key.startsWith('$')) throw unknownOperator(key, place)
  return { kind: 'at', name: key, of: parseNode(value, { ...place, path: [...place.path, key] }) }
}

/** `$not` takes an object, a list of objects (none of which may hold together), or under a field a value. */
function parseNot(value: QueryNode, place: Place): RawFilter {
  if (isObject(value)) return parseObject(value, place)
  if (Array.isArray(value) && value.every((member: QueryNode) => isObject(member))) {
    return {
      kind: 'all',
      of: value.map((member: QueryNode) => parseOperand('$not', member, place)),
    }
  }
  if (place.path.length === 0) throw invalid('Invalid $not. Expected a filter', place)
  return parseNode(value, place)
}

function parseOperand(operator: string, member: QueryNode, place: Place): RawFilter {
  place.count()
  if (isObject(member)) return parseObject(member, place)
  if (place.path.length > 0 && !Array.isArray(member)) return parseNode(member, place)
  throw invalid(`Invalid ${operator}. Expected an array of filters`, place)
}

function parseComparison(operator: ComparisonOperator, value: QueryNode, place: Place): RawFilter {
  if (place.path.length === 0) throw unknownOperator(operator, place)
  const values = parseValues(Array.isArray(value) ? value : [value], place, operator)
  if (operator === '$between' && values.length !== 2) {
    throw invalid(`Invalid $between. Expected exactly 2 values, received: ${values.length}`, place)
  }
  return { kind: 'is', operator, values }
}

function parseValues(
  members: readonly QueryNode[],
  place: Place,
  operator = '',
): readonly RawValue[] {
  return members.map((member) => {
    if (typeof member === 'object' && member !== null) {
      throw invalid(`Invalid ${operator === '' ? 'filter' : operator}. Expected a value`, place)
    }
    if (member === null) return null
    if (member.length > maxValueLength) {
      throw invalid(`A filter value may have at most ${maxValueLength} characters`, place)
    }
    if (member.includes('\0')) throw invalid('A filter value may not contain NUL', place)
    return member
  })
}

function unknownOperator(key: string, { param, path }: Place): Error {
  const at = path.length === 0 ? null : path.join('.')
  const known = path.length === 0 ? logicalOperators : [...comparisonOperators, ...logicalOperators]
  return fail(
    'invalid-key',
    { key, path: at },
    { key, path: at, source: 'query', param, ...suggestionFor(key, known) },
  )
}

function invalid(message: string, { param, path }: Place): Error {
  const at = path.join('.')
  return fail(
    'validation',
    { message: at === '' ? message : `${message} at ${at}` },
    { path: at === '' ? null : at, source: 'query', param },
  )
}
