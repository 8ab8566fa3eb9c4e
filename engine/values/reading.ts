import type { Value } from './value-test.js'

/** What a text, or a value of JSON, means as a value of one type. */
export type Reading = Value | Misread

/** It means none: what was expected, and the words for a client where Strapi has its own. */
export type Misread = Readonly<{ as: 'nothing'; expected: string; message?: string | undefined }>

export function misread(expected: string, message?: string): Misread {
  return { as: 'nothing', expected, message }
}
