import { BSONRegExp } from 'mongodb'
import { compileNumberText } from './compile-number-text.js'
import { patternsOf } from './compile-texts.js'
import type { Test } from '../../values/value-test.js'

/** A test of what is made of a stored value, which no query operator can say. */
export type ComputedTest = Extract<Test, { op: 'match' }> & Readonly<{ numeric: true }>

export function isComputed(test: Test): test is ComputedTest {
  return test.op === 'match' && test.numeric === true
}

/**
 * It as an expression of the database that is true or false, and of null false. No index serves one.
 * @param input where the value is stored: `$views`, `$$element.views`
 */
export function compileComputed(test: ComputedTest, input: string): unknown {
  const found = patternsOf(test).map(({ source, options }) => ({
    $regexMatch: { input: '$$text', regex: new BSONRegExp(source, options) },
  }))
  const holds = { [test.every === true ? '$and' : '$or']: found }
  return {
    $and: [
      { $gt: [input, null] },
      {
        $let: {
          vars: { text: compileNumberText(input) },
          in: test.negated ? { $not: [holds] } : holds,
        },
      },
    ],
  }
}
