import escapeRegExp from 'escape-string-regexp'
import type { Test } from '../../values/value-test.js'

/** Whether a text is, holds, begins or ends with another, as `patternsOf` has the database find it. */
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
