import { follow, join } from './follow.js'
import type { FilterNode, Filters, FilterValue } from './query.js'
import { comparable, compare, scalarOf, scalarTypeOf, textOf } from './values.js'
import type { Row, View } from './world.js'
import type { ScalarType } from '../../../../../engine/values/scalar-type.js'

const isObject = (node: unknown): node is Filters =>
  typeof node === 'object' && node !== null && !Array.isArray(node)
const asList = (value: FilterValue): readonly FilterNode[] =>
  Array.isArray(value) ? (value as FilterNode[]) : [value as FilterNode]
const all = (no: boolean, of: readonly boolean[]): boolean =>
  no ? of.some(Boolean) : of.every(Boolean)
const any = (no: boolean, of: readonly boolean[]): boolean => all(!no, of)

/** As in SQL, null satisfies neither a comparison nor its opposite (`no`). In a join, one matching row is enough. */
export function satisfies(view: View, row: Row, filters: Filters, no = false): boolean {
  return logic(filters, no, (name, value, not) => {
    const type = scalarTypeOf(row.structure, name)
    if (type !== undefined) return scalar(type, scalarOf(row, name), value, not)
    return targets(view, row, name, value, not)
  })
}

/**
 * `$none` and `$every` test all rows behind an attribute. Without these, one matching row is enough; if there are no
 * rows, the row of nulls is tested.
 */
function targets(view: View, row: Row, name: string, value: FilterValue, no: boolean): boolean {
  if (!hasQuantifier(value)) {
    return join(view, row, name).some((inner) => behind(view, inner, value, no))
  }
  const members = Object.entries(value).map(([key, inner]): Filters => ({ [key]: inner }))
  if (members.length > 1) return targets(view, row, name, { $and: members }, no)
  const [[key, inner] = ['', null]] = Object.entries(value)
  switch (key) {
    case '$some':
      return targets(view, row, name, inner, no)
    case '$not':
      return targets(view, row, name, { $and: asList(inner) }, !no)
    case '$and':
    case '$or': {
      // All conditions without a quantifier apply to the same target.
      const beside = asList(inner).filter((member) => !hasQuantifier(member))
      const parts = [...asList(inner).filter(hasQuantifier), { [key]: beside }]
      const answers = (beside.length > 0 ? parts : parts.slice(0, -1)).map((part) =>
        targets(view, row, name, part, no),
      )
      return key === '$and' ? all(no, answers) : any(no, answers)
    }
    default: {
      if (row.missing === true) return false
      const found = follow(view, row, name).map((it) => behind(view, it, inner, false))
      return (key === '$none' ? !found.some(Boolean) : found.every(Boolean)) !== no
    }
  }
}

function hasQuantifier(value: FilterValue): value is Filters {
  return (
    isObject(value) &&
    Object.entries(value).some(
      ([key, inner]) =>
        ['$some', '$none', '$every'].includes(key) ||
        (['$and', '$or', '$not'].includes(key) && asList(inner).some(hasQuantifier)),
    )
  )
}

/** Evaluates `$and`, `$or` and `$not`; `leaf` evaluates all other keys. */
function logic(
  filters: Filters,
  no: boolean,
  leaf: (key: string, value: FilterValue, no: boolean) => boolean,
): boolean {
  const each = (value: FilterValue, not: boolean): boolean[] =>
    asList(value).map((member) => logic(member as Filters, not, leaf))
  return all(
    no,
    Object.entries(filters).map(([key, value]) => {
      if (key === '$and') return all(no, each(value, no))
      if (key === '$or') return any(no, each(value, no))
      if (key === '$not' && isLogic(value)) return all(!no, each(value, !no))
      return leaf(key, value, no)
    }),
  )
}

const isLogic = (value: FilterValue): boolean => asList(value).every(isObject)

function behind(view: View, row: Row, value: FilterValue, no: boolean): boolean {
  if (!isObject(value)) return reference(row, '$eq', value, no)
  return logic(value, no, (key, inner, not) => {
    if (key === '$not') return behind(view, row, inner, !not)
    if (key.startsWith('$')) return reference(row, key, inner, not)
    return satisfies(view, row, { [key]: inner }, not)
  })
}

function reference(row: Row, operator: string, value: FilterValue, no: boolean): boolean {
  if (operator === '$null' || operator === '$notNull') {
    return test('integer', scalarOf(row, 'id'), operator, asList(value), no)
  }
  const opposed = (operator === '$ne' || operator === '$notIn') !== no
  const members = asList(value).map((member) => {
    const byId = member === null || /^\d+$/.test(member as string)
    const [type, name] = byId ? (['integer', 'id'] as const) : (['string', 'documentId'] as const)
    return test(type, scalarOf(row, name), '$eq', [member], opposed)
  })
  return opposed ? members.every(Boolean) : members.some(Boolean)
}

function scalar(type: ScalarType, stored: unknown, value: FilterValue, no: boolean): boolean {
  if (!isObject(value)) return test(type, stored, '$eq', asList(value), no)
  return logic(value, no, (operator, inner, not) =>
    operator === '$not'
      ? scalar(type, stored, inner, !not)
      : test(type, stored, operator, asList(inner), not),
  )
}

function test(
  type: ScalarType,
  stored: unknown,
  operator: string,
  values: readonly FilterNode[],
  no: boolean,
): boolean {
  if (operator === '$null' || operator === '$notNull') {
    const wanted = !['false', '0', 'f', ''].includes((values[0] as string) ?? '')
    return (((stored === null) === wanted) === (operator === '$null')) !== no
  }
  const texts = values as readonly (string | null)[]
  const opposite = opposites[operator]
  if (opposite !== undefined) {
    if (equalities.has(opposite)) return test(type, stored, opposite, values, !no)
    // `$notContains` with several strings matches if the value does not contain at least one of them.
    return (
      texts.every((text) => test(type, stored, opposite, [text], false)) === no && stored !== null
    )
  }
  // An equality with several values matches a stored null if one of the values is null.
  if (stored === null) return !no && equalities.has(operator) && texts.includes(null)
  const present = texts.filter((text) => text !== null)
  return holds(type, stored, operator, present) !== no
}

const equalities = new Set(['$eq', '$in'])
const opposites: Readonly<Record<string, string>> = {
  $ne: '$eq',
  $notIn: '$in',
  $nei: '$eqi',
  $notContains: '$contains',
  $notContainsi: '$containsi',
}

function holds(
  type: ScalarType,
  stored: unknown,
  operator: string,
  texts: readonly string[],
): boolean {
  const order = (text = ''): number => compare(type, stored, comparable(type, text))
  switch (operator) {
    case '$eq':
    case '$in':
      return texts.some((text) => order(text) === 0)
    case '$lt':
      return order(texts[0]) < 0
    case '$lte':
      return order(texts[0]) <= 0
    case '$gt':
      return order(texts[0]) > 0
    case '$gte':
      return order(texts[0]) >= 0
    case '$between':
      return order(texts[0]) >= 0 && order(texts[1]) <= 0
    default:
      return texts.some((text) => matches(textOf(type, stored), operator, text))
  }
}

/** Tests text operators (`$containsi`, `$startsWith`, …). Case is folded as in regular expressions. */
export function matches(stored: string, operator: string, text: string): boolean {
  const literal = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  const source = {
    $eq: `^${literal}$`,
    $contains: literal,
    $startsWith: `^${literal}`,
    $endsWith: `${literal}$`,
  }[operator.replace(/i$/, '')]
  if (source === undefined) throw new Error(`There is no operator ${operator}`)
  return new RegExp(source, operator.endsWith('i') ? 'iu' : 'u').test(stored)
}
