import type { JsonTest, Test } from '../../values/value-test.js'
import { meaningsOf, numberIn, textOfJson, valuesAt } from '../../values/json-values.js'
import { compareValues } from '../../values/compare-values.js'
import { matches } from './evaluate-texts.js'

/** Tests JSON in memory, with the same result as the expression of `compileComputed` in the database. */
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

/** Compares texts with texts and numbers with numbers. Other values have no order. */
function isInOrder(value: unknown, op: keyof typeof orders, text: string): boolean {
  if (typeof value === 'string') return orders[op](compareValues(value, text))
  const number = isNumber(value) ? numberIn(text) : undefined
  return number !== undefined && orders[op](compareValues(value, number))
}
