import { fail } from '../../errors.js'
import type { Count } from './bounds.js'
import { suggestionFor } from '../../errors/nearest-name.js'
import type { Parsing } from './parse-limits.js'
import type { QueryNode } from './brackets.js'
import { isObject } from '../../values/is-object.js'
import { invalidQuantifier, isQuantifier } from './quantifier.js'
import type { ComparisonOperator, Place, RawFilter, RawValue } from './raw-query.js'
import { comparisonOperators, logicalOperators, maxValueLength, quantifiers } from './raw-query.js'
import { refusedValue, valueTooLong } from './refused-value.js'

const operators: ReadonlySet<string> = new Set(comparisonOperators)
const isOperator = (key: string): key is ComparisonOperator => operators.has(key)

/** `count` throws if there are too many conditions. */
type Here = Place & Readonly<{ count: Count }>

/**
 * Parses `filters[author][name][$eqi]=ana`. Throws a 400 for an unknown operator, a logical operator without a list, a
 * value that is too long, and too many conditions. The number of nested brackets is limited.
 */
export function parseFilters(
  node: QueryNode,
  { condition }: Parsing,
  param = 'filters',
): RawFilter {
  const here = { param, path: [], count: condition }
  if (!isObject(node)) {
    throw Array.isArray(node)
      ? invalid('Invalid filters', 'an object of attributes and operators', here, node)
      : refusedValue('The filters parameter must be an object or an array', here, 'an object', node)
  }
  return parseObject(node, here)
}

function parseNode(node: QueryNode, here: Here): RawFilter {
  if (isObject(node)) return parseObject(node, here)
  if (Array.isArray(node)) return { kind: 'is', operator: '$in', values: parseValues(node, here) }
  return { kind: 'is', operator: '$eq', values: parseValues([node], here) }
}

function parseObject(node: { readonly [key: string]: QueryNode }, here: Here): RawFilter {
  const members = Object.entries(node).map(([key, value]) => parseMember(key, value, here))
  return members.length === 1 && members[0] !== undefined
    ? members[0]
    : { kind: 'all', of: members }
}

function parseMember(key: string, value: QueryNode, here: Here): RawFilter {
  here.count()
  if (key === '$and' || key === '$or') {
    if (!Array.isArray(value)) throw invalid(`Invalid ${key}`, 'an array of filters', here, value)
    return {
      kind: key === '$and' ? 'all' : 'any',
      of: value.map((member: QueryNode) => parseOperand(key, member, here)),
    }
  }
  if (key === '$not') {
    return { kind: 'not', of: parseNot(value, here) }
  }
  if (isOperator(key)) return parseComparison(key, value, here)
  if (isQuantifier(key)) {
    if (here.path.length === 0) throw invalidQuantifier(key, here)
    if (isObject(value)) return { kind: 'at', name: key, of: parseObject(value, here) }
    const expected = `a filter of the target, as in [${key}][id][$eq]`
    const message = `Invalid ${key} at ${here.path.join('.')}. Expected ${expected}`
    throw refusedValue(message, here, expected, value)
  }
  // Below an attribute, a name may begin with a dollar sign if its value is an object: it may be a name in JSON. The
  // resolver checks whether the attribute contains JSON.
  if (key.startsWith('$') && (here.path.length === 0 || !isObject(value))) {
    throw unknownOperator(key, here)
  }
  return { kind: 'at', name: key, of: parseNode(value, { ...here, path: [...here.path, key] }) }
}

/** Parses the value of `$not`: an object, a list, or a plain value. A list matches unless all of its members match. */
function parseNot(value: QueryNode, here: Here): RawFilter {
  if (isObject(value)) return parseObject(value, here)
  if (Array.isArray(value) && value.every((member: QueryNode) => isObject(member))) {
    return {
      kind: 'all',
      of: value.map((member: QueryNode) => parseOperand('$not', member, here)),
    }
  }
  if (here.path.length === 0) throw invalid('Invalid $not', 'a filter', here, value)
  return parseNode(value, here)
}

function parseOperand(operator: string, member: QueryNode, here: Here): RawFilter {
  here.count()
  if (isObject(member)) return parseObject(member, here)
  // As in Strapi, all members of a nested list have to match.
  if (Array.isArray(member) && member.length > 0 && operator !== '$not') {
    const of = member.map((inner: QueryNode) => parseOperand(operator, inner, here))
    return { kind: 'all', of }
  }
  if (here.path.length > 0 && !Array.isArray(member)) return parseNode(member, here)
  throw invalid(`Invalid ${operator}`, 'an array of filters', here, member)
}

function parseComparison(operator: ComparisonOperator, value: QueryNode, here: Here): RawFilter {
  if (here.path.length === 0) throw unknownOperator(operator, here)
  const values = parseValues(Array.isArray(value) ? value : [value], here, operator)
  if (operator === '$between' && values.length !== 2) {
    const received = String(values.length)
    const message = `Invalid $between. Expected exactly 2 values, received: ${received} at ${here.path.join('.')}`
    throw refusedValue(message, here, 'exactly 2 values', received)
  }
  return { kind: 'is', operator, values }
}

function parseValues(
  members: readonly QueryNode[],
  here: Here,
  operator = '',
): readonly RawValue[] {
  return members.map((member) => {
    if (typeof member === 'object' && member !== null) {
      throw invalid(`Invalid ${operator === '' ? 'filter' : operator}`, 'a value', here, member)
    }
    if (member === null) return null
    if (member.length > maxValueLength) {
      throw valueTooLong(`The filter value at ${here.path.join('.')}`, here)
    }
    if (member.includes('\0'))
      throw refusedValue(
        `A filter value may not contain NUL at ${here.path.join('.')}`,
        here,
        'a text without NUL',
      )
    return member
  })
}

function unknownOperator(key: string, { param, path }: Place): Error {
  const at = path.length === 0 ? null : path.join('.')
  const known =
    path.length === 0
      ? logicalOperators
      : [...comparisonOperators, ...logicalOperators, ...quantifiers]
  return fail(
    'invalid-key',
    { key, path: at },
    { key, path: at, source: 'query', param, ...suggestionFor(key, known) },
  )
}

function invalid(what: string, expected: string, place: Place, received: QueryNode): Error {
  const at = place.path.length === 0 ? '' : ` at ${place.path.join('.')}`
  return refusedValue(`${what}. Expected ${expected}${at}`, place, expected, received)
}
