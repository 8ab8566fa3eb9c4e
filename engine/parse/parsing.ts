import type { Count } from '../exceeded.js'
import { countTo } from '../exceeded.js'
import type { ParseLimits } from './parse-limits.js'
import { maxConditions } from './parse-limits.js'
import { maxPopulatedNames } from './raw-query.js'

/** What every part of one query string is read with. */
export type Parsing = Readonly<{
  limits: ParseLimits
  /** To be called for every name and operator of a filter, wherever it stands. */
  condition: Count
  /** To be called for every name of a populate tree that is new in it. */
  populated: Count
}>

export function createParsing(limits: ParseLimits): Parsing {
  return {
    limits,
    condition: countTo(maxConditions, 'The number of conditions', 'filters'),
    populated: countTo(maxPopulatedNames, 'The number of populated names', 'populate'),
  }
}

/** Counts the members of one list, in whatever form it was sent. */
export function countMembers(param: string, { maxArrayLength }: ParseLimits): Count {
  return countTo(maxArrayLength, `The list in ${param}`, 'api.rest.maxArrayLength')
}
