/** What a query string may hold (docs/decisions.md, "Nothing is dropped in silence" and "Everything is bounded"). */
export type ParseLimits = Readonly<{
  /** `api.rest.maxArrayLength`: members of an array, or of a list with commas. */
  maxArrayLength: number
  /** `api.rest.maxPopulateDepth`: levels of `populate`, and relations on the path of a sort key. */
  maxPopulateDepth: number
  /** `api.rest.nestedPagination`: whether `populate[x][pagination]` is understood. */
  nestedPagination: boolean
  /** Parameters that nothing understands are refused, or passed over where Strapi never checks (`/api/users`). */
  unknownParameters: 'refuse' | 'ignore'
}>

/** Levels of brackets, as in Strapi. */
export const maxDepth = 20
/** Parameters of one query string. */
export const maxParameters = 10_000
/** Characters of one filter value. */
export const maxValueLength = 4096
/** Names and operators in all filters of one query. */
export const maxConditions = 10_000
