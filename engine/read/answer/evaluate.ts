import type { ResolvedCondition } from '../plan/bound-query.js'
import type { SortKey } from '../plan/read-plan.js'
import type { Test, Value, JsonTest } from '../../values/value-test.js'
import { valueAt, valuesOf } from '../stored/stored-decode.js'
import type { Decoded } from '../stored/stored-fields.js'
import { textOfNumber } from '../../values/number-text.js'
import { comparable, compareValues } from '../../values/compare-values.js'
import { meaningsOf, numberIn, textOfJson, valuesAt } from '../../values/json-values.js'
import escapeRegExp from 'escape-string-regexp'

/** Tests a stored JSON value in memory, with the same result as the expression of `compileComputed`. */
function evaluateJson(
  { keys, of, negated }: Extract<Test, { op: 'at' }>,
  stored: unknown,
): boolean {
  const values = valuesAt(stored, keys)
  if (of.op === 'null') return (values.length === 0) !== negated
  return values.length > 0 && values.some((value) => holds(of, value)) !== negated
}

type ValueTest = Exclude<JsonTest, { op: 'null' }>

function holds(test: ValueTest, value: unknown): boolean {
  switch (test.op) {
    case 'in':
      return test.texts.some((text) => meaningsOf(text).some((meaning) => isEqual(value, meaning)))
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte': {
      const { op } = test
      return test.texts.some((text) => isInOrder(value, op, text))
    }
    case 'between':
      return isInOrder(value, 'gte', test.texts[0]) && isInOrder(value, 'lte', test.texts[1])
    case 'match': {
      const text = textOfJson(value)
      if (text === undefined) return false
      const isIn = (part: string): boolean => matches(test, part, text)
      return test.every === true ? test.texts.every(isIn) : test.texts.some(isIn)
    }
  }
}

function isEqual(value: unknown, meaning: string | number | boolean): boolean {
  return typeof meaning === 'number' && isNumber(value)
    ? compareValues(value, meaning) === 0
    : value === meaning
}

const isNumber = (value: unknown): boolean =>
  !['string', 'boolean'].includes(typeof value) && textOfJson(value) !== undefined

const orders = {
  lt: (order: number) => order < 0,
  lte: (order: number) => order <= 0,
  gt: (order: number) => order > 0,
  gte: (order: number) => order >= 0,
}

/** Compares a string with a string, or a number with a number; false for every other value. */
function isInOrder(value: unknown, op: keyof typeof orders, text: string): boolean {
  if (typeof value === 'string') return orders[op](compareValues(value, text))
  const number = isNumber(value) ? numberIn(text) : undefined
  return number !== undefined && orders[op](compareValues(value, number))
}

/** Tests a component value. MongoDB gives the same result for a stored document. */
export function evaluate(condition: ResolvedCondition, value: Decoded): boolean {
  switch (condition.kind) {
    case 'all':
      return condition.of.every((member) => evaluate(member, value))
    case 'any':
      return condition.of.some((member) => evaluate(member, value))
    case 'none':
      return !condition.of.some((member) => evaluate(member, value))
    case 'test':
      return evaluateTest(condition.test, valueAt(value, condition.path))
    case 'element': {
      const elements = valuesOf(valueAt(value, condition.path))
      if (elements.length === 0) return condition.orEmpty
      return elements.some((element) => evaluate(condition.of, element))
    }
    case 'keys': {
      const path = condition.path.replace(/\.documentId$/, '')
      return valuesOf(valueAt(value, path)).some((reference) =>
        condition.values.includes(reference['documentId'] as string),
      )
    }
  }
}

/** Sorts component values. Equal values keep their order. */
export function sortValues(
  values: readonly Decoded[],
  keys: readonly SortKey[],
): readonly Decoded[] {
  if (keys.length === 0) return values
  return values.toSorted((a, b) => {
    for (const key of keys) {
      const order = compareValues(firstAt(a, key), firstAt(b, key))
      if (order !== 0) return order * key.direction
    }
    return 0
  })
}

/** Returns the value that sorts first among those at a path. A path that leads through lists has several values. */
function firstAt(value: Decoded, { path, direction }: SortKey): unknown {
  const [least, ...others] = leavesAt(value, path.split('.'))
  return others.reduce(
    (first, it) => (compareValues(it, first) * direction < 0 ? it : first),
    least,
  )
}

/** Returns all values at a path, through the elements of lists. A missing value is null. */
function leavesAt(value: Decoded, [name = '', ...rest]: readonly string[]): readonly unknown[] {
  const here = value[name] ?? null
  if (rest.length === 0) return [here]
  const inner = valuesOf(here)
  return inner.length === 0 ? [null] : inner.flatMap((it) => leavesAt(it, rest))
}

function evaluateTest(test: Test, stored: unknown): boolean {
  if (test.op === 'null') return stored === null
  if (test.op === 'at') return evaluateJson(test, stored)
  if (stored === null) return false
  switch (test.op) {
    case 'notNull':
      return true
    case 'in':
      return test.values.some((value) => against(stored, value) === 0)
    case 'notIn':
      return test.values.every((value) => against(stored, value) !== 0)
    case 'lt':
      return against(stored, test.value) < 0
    case 'lte':
      return against(stored, test.value) <= 0
    case 'gt':
      return against(stored, test.value) > 0
    case 'gte':
      return against(stored, test.value) >= 0
    case 'between':
    case 'notBetween': {
      const [low, high] = test.values
      return (against(stored, low) >= 0 && against(stored, high) <= 0) === (test.op === 'between')
    }
    case 'match': {
      const found = test.numeric === true ? textOfNumber(stored) : stored
      const text = typeof found === 'string' ? found : ''
      const isIn = (part: string): boolean => matches(test, part, text)
      const holds = test.every === true ? test.texts.every(isIn) : test.texts.some(isIn)
      return holds !== test.negated
    }
  }
}

const against = (stored: unknown, value: Value): number => compareValues(stored, comparable(value))

/** Tests a string like the patterns of `patternsOf` in MongoDB. */
function matches(
  { how, insensitive }: Pick<Extract<Test, { op: 'match' }>, 'how' | 'insensitive'>,
  text: string,
  stored: string,
): boolean {
  const source = {
    equals: ['^', '$'],
    contains: ['', ''],
    startsWith: ['^', ''],
    endsWith: ['', '$'],
  }[how]
  const pattern = new RegExp(
    `${source[0]}${escapeRegExp(text)}${source[1]}`,
    insensitive ? 'iu' : 'u',
  )
  return pattern.test(stored)
}
