import type { Count } from './bounds.js'
import { countTo } from './bounds.js'
import { maxPopulatedNames } from './raw-query.js'

/**
 * Limits of a query string (docs/internals/decisions.md, "Nothing is dropped in silence" and "Everything is bounded").
 */
export type ParseLimits = Readonly<{
  /** `api.rest.maxArrayLength`, also for comma-separated lists. */
  maxArrayLength: number
  /** `api.rest.maxPopulateDepth`, also for relations on the path of a sort key. */
  maxPopulateDepth: number
  /** `api.rest.deepPopulate`: limits of `pLevel`. The entries themselves are the first level. */
  deepPopulate: Readonly<{ default: number; max: number }>
  /** `api.rest.nestedPagination`: whether `populate[x][pagination]` is allowed. */
  nestedPagination: boolean
  /** `api.rest.unknownKeys`. `unchecked`: ignored on routes where Strapi never checks them (`/api/users`). */
  unknownParameters: 'refuse' | 'ignore' | 'unchecked'
}>

/** Maximum number of levels of brackets, as in Strapi. */
export const maxDepth = 20
export const maxParameters = 10_000
/** Maximum number of conditions in all filters of one query. */
const maxConditions = 10_000

/** The state that all parsers of one query string share. */
export type Parsing = Readonly<{
  limits: ParseLimits
  /** Attribute names that contain a colon. Any other colon begins a direction or a unit. */
  colonNames: ReadonlySet<string>
  /** Must be called for every name and operator in every filter. */
  condition: Count
  /** Must be called for every new name in a populate tree. */
  populated: Count
}>

export function createParsing(
  limits: ParseLimits,
  colonNames: ReadonlySet<string> = new Set(),
): Parsing {
  return {
    limits,
    colonNames,
    condition: countTo(maxConditions, 'The number of conditions', 'filters'),
    populated: countTo(maxPopulatedNames, 'The number of populated names', 'populate'),
  }
}

/** Returns a counter for the members of a list, sent with commas or as an array. */
export function countMembers(param: string, { maxArrayLength }: ParseLimits): Count {
  return countTo(maxArrayLength, `The list in ${param}`, 'api.rest.maxArrayLength')
}
