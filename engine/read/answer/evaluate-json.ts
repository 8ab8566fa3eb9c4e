import type { JsonTest, Test } from '../../values/value-test.js'
import { meaningsOf, numberIn, textOfJson, valuesAt } from '../../values/json-values.js'
import { compareValues } from '../../values/compare-values.js'
import { matches } from './evaluate-texts.js'

/** What `compileComputed` asks the database of JSON. */
export function evaluateJson(
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
      return test.texts.some((text) => isInOrder(value, text, (order) => order < 0))
    case 'lte':
      return test.texts.some((text) => isInOrder(value, text, (order) => order <= 0))
    case 'gt':
      return test.texts.some((text) => isInOrder(value, text, (order) => order > 0))
    case 'gte':
      return test.texts.some((text) => isInOrder(value, text, (order) => order >= 0))
    case 'between': {
      const [low, high] = test.texts
      return (
        isInOrder(value, low, (order) => order >= 0) &&
        isInOrder(value, high, (order) => order <= 0)
      )
    }
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

/** Texts are compared as texts, numbers as numbers, and nothing else has an order. */
function isInOrder(value: unknown, text: string, accepts: (order: number) => boolean): boolean {
  if (typeof value === 'string') return accepts(compareValues(value, text))
  const number = isNumber(value) ? numberIn(text) : undefined
  return number !== undefined && accepts(compareValues(value, number))
}
