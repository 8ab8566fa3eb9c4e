import { fail } from '../../errors.js'

/**
 * A bound of a query (docs/decisions.md, "Nothing is dropped in silence" and "Everything is bounded"):
 * `bound` is the setting or the parameter that has it.
 */
export function exceeded(what: string, bound: string, limit: number): Error {
  return fail('limit-exceeded', { what, bound, limit }, { bound, limit })
}

/** To be called for each one that is counted; throws the 400 for the first beyond the limit. */
export type Count = () => void

/** Counts what a text makes while it is read, so that no more is ever made of it. `from`: so many there are. */
export function countTo(limit: number, what: string, bound: string, from = 0): Count {
  let count = from
  return () => {
    count += 1
    if (count > limit) throw exceeded(what, bound, limit)
  }
}
