import type { Place, RawValue } from '../parse/raw-query.js'
import type { ScalarAttribute } from '../../schema/attribute.js'
import type { JsonTest, Test, Value } from '../../values/value-test.js'
import { refusedValue } from '../parse/refused-value.js'
import type { Filter } from './query.js'
import type { Comparison } from './resolve-under.js'
import { jsonTypes, numberTypes, textTypes } from '../../values/scalar-type.js'
import { compareValues, comparable } from '../../values/compare-values.js'
import { parseFlag } from '../../values/parse-flag.js'
import { misread } from '../../values/reading.js'
import { valueForms } from '../../values/value-forms.js'

/** The negation of each comparison, for values other than null: a value that is not less is greater or equal. */
const opposite = { lt: 'gte', lte: 'gt', gt: 'lte', gte: 'lt' } as const

/** Resolves a comparison with a scalar. A null becomes a test for null. */
export function resolveTest(
  attribute: ScalarAttribute,
  comparison: Comparison,
  negated: boolean,
  place: Place,
): Filter {
  const { operator, values } = comparison
  const filter = (test: Test): Filter => ({ kind: 'test', attribute, test })
  switch (operator) {
    case '$null':
    case '$notNull':
      return filter(
        nullTest(attribute, (operator === '$null') === (parseFlag(values[0] ?? '') !== negated)),
      )
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
      const order = operator.slice(1) as keyof typeof opposite
      const op = negated ? opposite[order] : order
      const least = order === 'gt' || order === 'gte'
      return filter({ op, value: coerceOne(attribute, operator, values, least, place) })
    }
    case '$between': {
      const op = negated ? 'notBetween' : 'between'
      const [low, high] = values.map((value) => coerce(attribute, value ?? '', place))
      if (low === undefined || high === undefined) throw new Error('parse lets two values pass')
      return filter({ op, values: [low, high] })
    }
    default:
      // If `matches` lacks an operator, TypeScript rejects this line.
      return filter(resolveMatch(attribute, operator, values, negated, place))
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
  place: Place,
): Filter {
  const op = negated ? 'notIn' : 'in'
  const texts = values.filter((value) => value !== null)
  const tests: Test[] = []
  // With an empty list of values, nothing matches.
  if (texts.length > 0 || values.length === 0)
    tests.push({ op, values: texts.map((text) => coerce(attribute, text, place)) })
  if (texts.length < values.length) tests.push(nullTest(attribute, !negated))
  const filters = tests.map((test): Filter => ({ kind: 'test', attribute, test }))
  const only = filters[0]
  return filters.length === 1 && only !== undefined
    ? only
    : { kind: negated ? 'all' : 'any', of: filters }
}

function resolveMatch(
  attribute: ScalarAttribute,
  operator: TextOperator,
  values: readonly RawValue[],
  negated: boolean,
  place: Place,
): Test {
  const isNumber = numberTypes.has(attribute.type)
  if (!isNumber && !textTypes.has(attribute.type)) throw notOfText(operator, place)
  const { opposed, test } = resolveTexts(operator, values)
  const { op, how, insensitive, ...rest } = test
  const numeric = isNumber ? { numeric: true as const } : {}
  return { op, how, insensitive, negated: opposed !== negated, ...rest, ...numeric }
}

/** Returns the test of a text operator, and whether the operator negates it (`opposed`). */
export function resolveTexts(
  operator: TextOperator,
  values: readonly RawValue[],
): Readonly<{ opposed: boolean; test: Extract<JsonTest, { op: 'match' }> }> {
  const [how, insensitive, opposed] = matches[operator]
  return {
    opposed,
    test: {
      op: 'match',
      how,
      insensitive,
      texts: values.map((text) => text ?? ''),
      // As in Strapi, `$notContains` matches a value that lacks at least one of several strings.
      ...(opposed && values.length > 1 ? { every: true as const } : {}),
    },
  }
}

type TextOperator = keyof typeof matches

export function notOfText(operator: string, place: Place): Error {
  const expected = 'a text or number attribute'
  const message = `Invalid operator ${operator} at ${place.path.join('.')}. Expected ${expected}`
  return refusedValue(message, place, expected, operator)
}

/** Whether an operator searches text. */
export const isTextOperator = (operator: string): boolean => operator in matches

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

/**
 * Of several values, returns the smallest for `$gt` and `$gte`, and the greatest for `$lt` and `$lte`, because an entry
 * matches if it matches one value.
 */
function coerceOne(
  attribute: ScalarAttribute,
  operator: string,
  values: readonly RawValue[],
  least: boolean,
  place: Place,
): Value {
  const [first, ...others] = values.map((value) => {
    if (value === null) throw expectedValue(operator, place)
    return coerce(attribute, value, place)
  })
  if (first === undefined) throw expectedValue(operator, place)
  return others.reduce(
    (chosen, value) =>
      compareValues(comparable(value), comparable(chosen)) < 0 === least ? value : chosen,
    first,
  )
}

export const expectedValue = (operator: string, place: Place): Error =>
  refusedValue(
    `Invalid ${operator} at ${place.path.join('.')}. Expected one value`,
    place,
    'one value',
  )

/** Converts a filter's value to the type of its attribute. Throws a 400, with Strapi's message if there is one. */
export function coerce({ type }: ScalarAttribute, text: string, place: Place): Value {
  const reading = valueForms[type].parse?.(text) ?? misread('a value that can be compared')
  if (reading.as !== 'nothing') return reading
  const { expected, message } = reading
  const at = place.path.join('.')
  const ours = `Invalid value at ${at}. Expected ${expected}, received: ${text.slice(0, 100)}`
  throw refusedValue(message ?? ours, place, expected, text)
}
