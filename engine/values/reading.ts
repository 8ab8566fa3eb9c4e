import type { Value } from './value-test.js'

/** Result of parsing a JSON value as a value of one type. */
export type Reading = Value | Misread

/** An invalid value. `expected` describes the valid form; `message` is Strapi's error message, if there is one. */
export type Misread = Readonly<{ as: 'nothing'; expected: string; message?: string | undefined }>

export function misread(expected: string, message?: string): Misread {
  return { as: 'nothing', expected, message }
}
