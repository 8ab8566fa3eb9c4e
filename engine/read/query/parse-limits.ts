import type { Count } from './bounds.js'
import { countTo } from './bounds.js'
import { maxPopulatedNames } from './raw-query.js'

/** What a query string may hold (docs/decisions.md, "Nothing is dropped in silence" and "Everything is bounded"). */
export type ParseLimits = Readonly<{
  /** `api.rest.maxArrayLength`: members of an array, or of a list with commas. */
  maxArrayLength: number
  /** `api.rest.maxPopulateDepth`: levels of `populate`, and relations on the path of a sort key. */
  maxPopulateDepth: number
  /** `api.rest.deepPopulate.default` and `.max`: levels of `pLevel`, the entries themselves among them. */
  deepPopulate: Readonly<{ default: number; max: number }>
  /** `api.rest.nestedPagination`: whether `populate[x][pagination]` is understood. */
  nestedPagination: boolean
  /**
   * Parameters that nothing understands are refused or ignored (`api.rest.unknownKeys`); `unchecked`: ignored, as
   * Strapi never checks any (`/api/users`).
   */
  unknownParameters: 'refuse' | 'ignore' | 'unchecked'
}>

/** Levels of brackets, as in Strapi. */
export const maxDepth = 20
/** Parameters of one query string. */
export const maxParameters = 10_000
/** Names and operators in all filters of one query. */
const maxConditions = 10_000

/** What every part of one query string is read with. */
export type Parsing = Readonly<{
  limits: ParseLimits
  /** Names of attributes that hold a colon, behind which a direction or a unit stands otherwise. */
  colonNames: ReadonlySet<string>
  /** To be called for every name and operator of a filter, wherever it stands. */
  condition: Count
  /** To be called for every name of a populate tree that is new in it. */
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

/** Counts the members of one list, in whatever form it was sent. */
export function countMembers(param: string, { maxArrayLength }: ParseLimits): Count {
  return countTo(maxArrayLength, `The list in ${param}`, 'api.rest.maxArrayLength')
}
