import { fail } from '../errors.js'
import type { ComparisonOperator, RawValue } from '../parse/raw-query.js'
import type { ScalarAttribute } from '../schema/attribute.js'
import { jsonTypes, textTypes } from '../schema/attribute.js'
import type { ValuePlace } from './coerce.js'
import { coerce } from './coerce.js'
import type { Test, Value } from '../schema/value-test.js'
import type { Filter } from './query.js'

type Is = Readonly<{ operator: ComparisonOperator; values: readonly RawValue[] }>

/** The opposite of an order, for negation: not less is greater or equal, of what is not null. */
const opposite = { lt: 'gte', lte: 'gt', gt: 'lte', gte: 'lt' } as const

/**
 * One comparison with a scalar, negated or not, as a filter of tests. A null among the values of
 * `$eq`, `$in` and their opposites asks for null.
 */
export function resolveTest(
  attribute: ScalarAttribute,
  { operator, values }: Is,
  negated: boolean,
  place: ValuePlace,
): Filter {
  const test = (test: Test): Filter => ({ kind: 'test', attribute, test })
  switch (operator) {
    case '$null':
    case '$notNull':
      return test(nullTest(attribute, (operator === '$null') === (isTrue(values[0]) !== negated)))
    case '$eq':
    case '$in':
      return resolveMembership(attribute, values, negated, place)
    case '$ne':
    case '$notIn':
      return resolveMembership(attribute, values, !negated, place)
    case '$lt':
    case '$lte':
    case '$gt':
    case '$gte': {
      const op = operator.slice(1) as keyof typeof opposite
      const value = single(operator, values, place)
      return test({ op: negated ? opposite[op] : op, value: coerce(attribute, value, place) })
    }
    case '$between': {
      const [low, high] = values.map((value) => coerce(attribute, value ?? '', place))
      if (low === undefined || high === undefined) throw new Error('parse lets two values pass')
      return test({ op: negated ? 'notBetween' : 'between', values: [low, high] })
    }
    default:
      return test(resolveMatch(attribute, operator, values, negated, place))
  }
}

function nullTest({ type }: ScalarAttribute, isNull: boolean): Test {
  const op = isNull ? 'null' : 'notNull'
  return jsonTypes.has(type) ? { op, json: true } : { op }
}

function resolveMembership(
  attribute: ScalarAttribute,
  values: readonly RawValue[],
  negated: boolean,
  place: ValuePlace,
): Filter {
  const present = values.filter((value): value is string => value !== null)
  const tests: Test[] = []
  if (present.length > 0 || values.length === 0) {
    const coerced: Value[] = present.map((value) => coerce(attribute, value, place))
    tests.push({ op: negated ? 'notIn' : 'in', values: coerced })
  }
  if (present.length < values.length) tests.push(nullTest(attribute, !negated))
  const filters = tests.map((test): Filter => ({ kind: 'test', attribute, test }))
  const only = filters[0]
  return filters.length === 1 && only !== undefined
    ? only
    : { kind: negated ? 'all' : 'any', of: filters }
}

/** `$eqi`, `$notContainsi`, … : how they match, and whether they say no. */
function resolveMatch(
  attribute: ScalarAttribute,
  operator: ComparisonOperator,
  values: readonly RawValue[],
  negated: boolean,
  place: ValuePlace,
): Test {
  if (!textTypes.has(attribute.type)) {
    throw fail(
      'validation',
      {
        message: `Invalid operator ${operator} at ${place.path.join('.')}. Expected a text attribute`,
      },
      { path: place.path.join('.'), source: 'query', param: place.param },
    )
  }
  const [how, insensitive, opposed] = matches[operator as keyof typeof matches]
  return {
    op: 'match',
    how,
    insensitive,
    negated: opposed !== negated,
    texts: values.map((text) => text ?? ''),
  }
}

const matches = {
  $eqi: ['equals', true, false],
  $nei: ['equals', true, true],
  $contains: ['contains', false, false],
  $notContains: ['contains', false, true],
  $containsi: ['contains', true, false],
  $notContainsi: ['contains', true, true],
  $startsWith: ['startsWith', false, false],
  $startsWithi: ['startsWith', true, false],
  $endsWith: ['endsWith', false, false],
  $endsWithi: ['endsWith', true, false],
} as const

function single(
  operator: string,
  values: readonly RawValue[],
  { path, param }: ValuePlace,
): string {
  const value = values[0]
  if (values.length === 1 && value !== null && value !== undefined) return value
  throw fail(
    'validation',
    { message: `Invalid ${operator} at ${path.join('.')}. Expected one value` },
    { path: path.join('.'), source: 'query', param },
  )
}

/** As Strapi reads `$null`: anything but a word for no is yes. */
function isTrue(value: RawValue | undefined): boolean {
  return value !== undefined && !['false', '0', 'f', ''].includes(value ?? '')
}
