import type { Value } from './value-test.js'

/** Result of parsing a string or another JSON value as a value of one type. */
export type Reading = Value | Misread

/**
 * Result for a value that is not valid for the type. `expected` describes the valid form; `message` is Strapi's error
 * message, if Strapi has one.
 */
export type Misread = Readonly<{ as: 'nothing'; expected: string; message?: string | undefined }>

export function misread(expected: string, message?: string): Misread {
  return { as: 'nothing', expected, message }
}
