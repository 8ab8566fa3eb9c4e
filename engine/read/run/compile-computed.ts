import { compileJson } from './compile-json.js'
import { compileNumberText } from './compile-number-text.js'
import { compileFound } from './compile-texts.js'
import type { ComputedTest, NumberTest } from '../../values/value-test.js'

/**
 * It as an expression of the database that is true or false. No index serves one.
 * @param input where the value is stored: `$views`, `$$element.views`
 */
export function compileComputed(test: ComputedTest, input: string): unknown {
  return test.op === 'at' ? compileJson(test, input) : compileOfNumber(test, input)
}

function compileOfNumber(test: NumberTest, input: string): unknown {
  const holds = compileFound(test, compileNumberText(input))
  return { $and: [{ $gt: [input, null] }, test.negated ? { $not: [holds] } : holds] }
}
