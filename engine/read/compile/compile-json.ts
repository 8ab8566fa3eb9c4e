import { compileNumberText } from './compile-number-text.js'
import { compileTextMatch } from './compile-texts.js'
import { meaningsOf, numberIn } from '../../values/json-values.js'
import type { JsonTest, Test } from '../../values/value-test.js'

type Expression = unknown

/**
 * Boolean expression: tests the values at a path in JSON. Names and strings from the request are in `$literal`, so
 * MongoDB interprets no dot or dollar sign in them.
 */
export function compileJson(
  { keys, of, negated }: Extract<Test, { op: 'at' }>,
  input: string,
): Expression {
  const isThere = anyAt(input, keys, () => true)
  if (of.op === 'null') return negated ? isThere : { $not: [isThere] }
  const holds = anyAt(input, keys, (value) => compileValueTest(of, value))
  return negated ? { $and: [isThere, { $not: [holds] }] } : holds
}

/** Boolean expression: whether any non-null value at the path passes the test. Lists on the path are searched. */
function anyAt(
  input: Expression,
  [key, ...rest]: readonly string[],
  test: (value: string) => Expression,
  level = 0,
): Expression {
  const name = `value${level}`
  const value = `$$${name}`
  const below = (): Expression =>
    anyAt({ $getField: { field: { $literal: key }, input: value } }, rest, test, level + 1)
  return {
    $anyElementTrue: [
      {
        $map: {
          input: { $cond: [{ $isArray: [input] }, input, [input]] },
          as: name,
          in: key === undefined ? { $and: [{ $gt: [value, null] }, test(value)] } : below(),
        },
      },
    ],
  }
}

function compileValueTest(test: Exclude<JsonTest, { op: 'null' }>, value: string): Expression {
  switch (test.op) {
    case 'in':
      return { $in: [value, { $literal: test.texts.flatMap(meaningsOf) }] }
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return { $or: test.texts.map((text) => compileOrder(value, `$${test.op}`, text)) }
    case 'between': {
      const [low, high] = test.texts
      return { $and: [compileOrder(value, '$gte', low), compileOrder(value, '$lte', high)] }
    }
    case 'match':
      return compileTextMatch(test, compileText(value))
  }
}

/** Boolean expression: compares a string with a string, or a number with a number. False for every other value. */
function compileOrder(value: string, operator: string, text: string): Expression {
  const isText = { $eq: [{ $type: value }, 'string'] }
  const asText = { $and: [isText, { [operator]: [value, { $literal: text }] }] }
  const number = numberIn(text)
  if (number === undefined) return asText
  return { $or: [asText, { $and: [{ $isNumber: value }, { [operator]: [value, number] }] }] }
}

/** Expression: a value as a string. Null if the value cannot be converted. Null matches no pattern. */
function compileText(value: string): Expression {
  const branches = [
    [{ $eq: [{ $type: value }, 'string'] }, value],
    [{ $isNumber: value }, compileNumberText(value)],
    [{ $eq: [{ $type: value }, 'bool'] }, { $toString: value }],
  ]
  return {
    $switch: { branches: branches.map(([when, then]) => ({ case: when, then })), default: null },
  }
}
