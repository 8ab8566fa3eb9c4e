import type { Place, RawFilter, RawValue } from '../parse/raw-query.js'
import type { ScalarAttribute } from '../../schema/attribute.js'
import type { JsonTest } from '../../values/value-test.js'
import { parseFlag } from '../../values/parse-flag.js'
import type { Filter } from './query.js'
import { expectedValue, resolveTexts } from './resolve-operators.js'
import type { Comparison } from './resolve-under.js'
import { resolveUnder } from './resolve-under.js'
import type { Scope } from './scope.js'

/**
 * Resolves `filters[meta][colour][$eq]=red` (docs/internals/decisions.md, "Paths into JSON"). All operators and names
 * are allowed. A missing value is null.
 */
export function resolveJson(
  scope: Scope,
  attribute: ScalarAttribute,
  { name, of }: Extract<RawFilter, { kind: 'at' }>,
  negated: boolean,
  place: Place,
  outer: readonly string[] = [],
): Filter {
  const keys = [...outer, name]
  const inner = { ...place, path: [...place.path, name] }
  return resolveUnder(of, negated, {
    is: (comparison, no) => {
      scope.budget.computed()
      return resolveAt({ attribute, keys, place: inner }, comparison, no)
    },
    at: (raw, no) => resolveJson(scope, attribute, raw, no, inner, keys),
  })
}

type Spot = Readonly<{ attribute: ScalarAttribute; keys: readonly string[]; place: Place }>

function resolveAt(
  { attribute, keys, place }: Spot,
  { operator, values }: Comparison,
  negated: boolean,
): Filter {
  const filter = (of: JsonTest, no: boolean): Filter => ({
    kind: 'test',
    attribute,
    test: { op: 'at', keys, of, negated: no },
  })
  const among = (no: boolean): Filter => {
    const texts = values.filter((it) => it !== null)
    const members: Filter[] = []
    if (texts.length > 0 || values.length === 0) members.push(filter({ op: 'in', texts }, no))
    if (texts.length < values.length) members.push(filter({ op: 'null' }, no))
    const [only] = members
    return members.length === 1 && only !== undefined
      ? only
      : { kind: no ? 'all' : 'any', of: members }
  }
  switch (operator) {
    case '$null':
    case '$notNull':
      return filter(
        { op: 'null' },
        ((operator === '$null') === parseFlag(values[0] ?? '')) === negated,
      )
    case '$eq':
    case '$in':
      return among(negated)
    case '$ne':
    case '$notIn':
      return among(!negated)
    case '$lt':
    case '$lte':
    case '$gt':
    case '$gte': {
      const op = operator.slice(1) as 'lt' | 'lte' | 'gt' | 'gte'
      return filter({ op, texts: texts(values, operator, place) }, negated)
    }
    case '$between': {
      const [low, high] = texts(values, operator, place)
      if (low === undefined || high === undefined) throw expectedValue(operator, place)
      return filter({ op: 'between', texts: [low, high] }, negated)
    }
    default: {
      const { opposed, test } = resolveTexts(operator, values)
      return filter(test, opposed !== negated)
    }
  }
}

function texts(values: readonly RawValue[], operator: string, place: Place): readonly string[] {
  if (values.length === 0) throw expectedValue(operator, place)
  return values.map((value) => {
    if (value === null) throw expectedValue(operator, place)
    return value
  })
}
