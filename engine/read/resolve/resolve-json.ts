import type { Place, RawFilter, RawValue } from '../parse/raw-query.js'
import type { ScalarAttribute } from '../../schema/attribute.js'
import type { JsonTest, Test } from '../../values/value-test.js'
import type { Comparison } from './comparison.js'
import type { Filter } from './query.js'
import { bindTexts, expectedValue } from './resolve-operators.js'
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
  return resolveUnder(scope, of, negated, {
    is: (comparison, no) => {
      scope.budget.computed()
      return resolveAt(scope, { attribute, keys, place: inner }, comparison, no)
    },
    at: (raw, no) => resolveJson(scope, attribute, raw, no, inner, keys),
  })
}

type Spot = Readonly<{ attribute: ScalarAttribute; keys: readonly string[]; place: Place }>

function resolveAt(
  { slots }: Scope,
  { attribute, keys, place }: Spot,
  { operator, kinds, valuesOf }: Comparison,
  negated: boolean,
): Filter {
  const at = (of: JsonTest, no: boolean): Test => ({ op: 'at', keys, of, negated: no })
  const filter = (test: Extract<Filter, { kind: 'test' }>['test']): Filter => ({
    kind: 'test',
    attribute,
    test,
  })
  const open = (no: boolean, bind: (values: readonly RawValue[]) => JsonTest): Filter =>
    filter(slots.open((sent) => at(bind(valuesOf(sent)), no)))
  const isNull = (no: boolean): Filter => filter(at({ op: 'null' }, no))
  const among = (no: boolean): Filter => {
    const members: Filter[] = []
    if (kinds !== 'n') {
      members.push(open(no, (values) => ({ op: 'in', texts: values.filter((it) => it !== null) })))
    }
    if (kinds.includes('n')) members.push(isNull(no))
    const [only] = members
    return members.length === 1 && only !== undefined
      ? only
      : { kind: no ? 'all' : 'any', of: members }
  }
  switch (operator) {
    case '$null':
    case '$notNull':
      return isNull(((operator === '$null') === (kinds === 'yes')) === negated)
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
      return open(negated, (values) => ({ op, texts: texts(values, operator, place) }))
    }
    case '$between':
      return open(negated, (values) => {
        const [low, high] = texts(values, operator, place)
        if (low === undefined || high === undefined) throw expectedValue(operator, place)
        return { op: 'between', texts: [low, high] }
      })
    default: {
      const { opposed, bind } = bindTexts(operator)
      return open(opposed !== negated, bind)
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
