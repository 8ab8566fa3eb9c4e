import type { Value } from './value-test.js'

/** The meaning of a text or a JSON value in one type. */
export type Reading = Value | Misread

/**
 * Result for a value that has no meaning in the type. Contains the expected form, and Strapi's message if Strapi has
 * one.
 */
export type Misread = Readonly<{ as: 'nothing'; expected: string; message?: string | undefined }>

export function misread(expected: string, message?: string): Misread {
  return { as: 'nothing', expected, message }
}
