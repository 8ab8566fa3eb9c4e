import type { Place, RawValue } from '../parse/raw-query.js'
import type { ScalarAttribute } from '../../schema/attribute.js'
import type { JsonTest, Test, Value } from '../../values/value-test.js'
import type { Comparison } from './comparison.js'
import { refusedValue } from '../parse/refused-value.js'
import type { Filter, Sent, Slot } from './query.js'
import type { Slots } from './slots.js'
import { jsonTypes, numberTypes, textTypes } from '../../values/scalar-type.js'
import { compareValues, comparable } from '../../values/compare-values.js'
import { misread } from '../../values/reading.js'
import { valueForms } from '../../values/value-forms.js'

/** For values other than null: a value that is not less is greater or equal. */
const opposite = { lt: 'gte', lte: 'gt', gt: 'lte', gte: 'lt' } as const

/** Resolves a comparison with a scalar. A null becomes a test for null; the other values go into slots. */
export function resolveTest(
  slots: Slots,
  attribute: ScalarAttribute,
  comparison: Comparison,
  negated: boolean,
  place: Place,
): Filter {
  const { operator, kinds, valuesOf } = comparison
  const test = (test: Test | Slot): Filter => ({ kind: 'test', attribute, test })
  const open = (bind: (values: readonly RawValue[]) => Test): Filter =>
    test(slots.open((sent) => bind(valuesOf(sent))))
  switch (operator) {
    case '$null':
    case '$notNull':
      return test(nullTest(attribute, (operator === '$null') === ((kinds === 'yes') !== negated)))
    case '$eq':
    case '$in':
      return resolveMembership(slots, attribute, comparison, negated, place)
    case '$ne':
    case '$notIn':
      return resolveMembership(slots, attribute, comparison, !negated, place)
    case '$lt':
    case '$lte':
    case '$gt':
    case '$gte': {
      const order = operator.slice(1) as keyof typeof opposite
      const op = negated ? opposite[order] : order
      const least = order === 'gt' || order === 'gte'
      return open((values) => ({ op, value: coerceOne(attribute, operator, values, least, place) }))
    }
    case '$between': {
      const op = negated ? 'notBetween' : 'between'
      return open((values) => {
        const [low, high] = values.map((value) => coerce(attribute, value ?? '', place))
        if (low === undefined || high === undefined) throw new Error('parse lets two values pass')
        return { op, values: [low, high] }
      })
    }
    default:
      // If `matches` lacks an operator, TypeScript rejects this line.
      return open(bindMatch(attribute, operator, negated, place))
  }
}

function nullTest({ type }: ScalarAttribute, isNull: boolean): Test {
  const op = isNull ? 'null' : 'notNull'
  return jsonTypes.has(type) ? { op, json: true } : { op }
}

function resolveMembership(
  slots: Slots,
  attribute: ScalarAttribute,
  { kinds, valuesOf }: Comparison,
  negated: boolean,
  place: Place,
): Filter {
  const tests: (Test | Slot)[] = []
  if (kinds !== 'n') {
    const op = negated ? 'notIn' : 'in'
    const bind = (sent: Sent): Test => ({
      op,
      values: valuesOf(sent).flatMap((value) =>
        value === null ? [] : [coerce(attribute, value, place)],
      ),
    })
    tests.push(slots.open(bind))
  }
  if (kinds.includes('n')) tests.push(nullTest(attribute, !negated))
  const filters = tests.map((test): Filter => ({ kind: 'test', attribute, test }))
  const only = filters[0]
  return filters.length === 1 && only !== undefined
    ? only
    : { kind: negated ? 'all' : 'any', of: filters }
}

function bindMatch(
  attribute: ScalarAttribute,
  operator: TextOperator,
  negated: boolean,
  place: Place,
): (values: readonly RawValue[]) => Test {
  const isNumber = numberTypes.has(attribute.type)
  if (!isNumber && !textTypes.has(attribute.type)) throw notOfText(operator, place)
  const { opposed, bind } = bindTexts(operator)
  return (values) => {
    const { op, how, insensitive, ...rest } = bind(values)
    const numeric = isNumber ? { numeric: true as const } : {}
    return { op, how, insensitive, negated: opposed !== negated, ...rest, ...numeric }
  }
}

/** Returns the test of a text operator, and whether the operator negates it (`opposed`). */
export function bindTexts(operator: TextOperator): Readonly<{
  opposed: boolean
  bind: (values: readonly RawValue[]) => Extract<JsonTest, { op: 'match' }>
}> {
  const [how, insensitive, opposed] = matches[operator]
  return {
    opposed,
    bind: (values) => ({
      op: 'match',
      how,
      insensitive,
      texts: values.map((text) => text ?? ''),
      // As in Strapi, `$notContains` matches a value that lacks at least one of several strings.
      ...(opposed && values.length > 1 ? { every: true as const } : {}),
    }),
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

/** Returns the smallest value for `$gt` and `$gte`, the greatest for `$lt` and `$lte`: one match is enough. */
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
