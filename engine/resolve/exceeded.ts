import { fail } from '../errors.js'

/** A bound of a query (D15): `bound` is the setting or the parameter that has it. */
export function exceeded(what: string, bound: string, limit: number): Error {
  return fail('limit-exceeded', { what, bound, limit }, { bound, limit })
}
