import escapeRegExp from 'escape-string-regexp'
import type { Test } from '../../values/value-test.js'

/**
 * Whether a text equals, contains, begins or ends with another, with the same result as `patternsOf` in the database.
 */
export function matches(
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
    insensitive ? 'isu' : 'su',
  )
  return pattern.test(stored)
}
