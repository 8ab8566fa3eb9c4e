import { compileJson } from './compile-json.js'
import { compileNumberText } from './compile-number-text.js'
import { compileFound } from './compile-texts.js'
import type { ComputedTest, NumberTest } from '../../values/value-test.js'

/**
 * Boolean expression: a test that no index can serve.
 * @param input path of the stored value: `$views`, `$$element.views`
 */
export function compileComputed(test: ComputedTest, input: string): unknown {
  return test.op === 'at' ? compileJson(test, input) : compileOfNumber(test, input)
}

function compileOfNumber(test: NumberTest, input: string): unknown {
  const holds = compileFound(test, compileNumberText(input))
  return { $and: [{ $gt: [input, null] }, test.negated ? { $not: [holds] } : holds] }
}
