import { fail } from '../../errors.js'

/**
 * Returns the 400 for an exceeded limit (docs/internals/decisions.md, "Nothing is dropped in silence" and "Everything
 * is bounded").
 */
export function exceeded(what: string, bound: string, limit: number): Error {
  return fail('limit-exceeded', { what, bound, limit }, { bound, limit })
}

/** Adds one to a count. Throws a 400 if it then exceeds the limit. */
export type Count = () => void

/** Returns a counter that throws as soon as the limit is exceeded, so that parsing stops there. */
export function countTo(limit: number, what: string, bound: string, from = 0): Count {
  let count = from
  return () => {
    count += 1
    if (count > limit) throw exceeded(what, bound, limit)
  }
}
