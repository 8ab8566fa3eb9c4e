/** What a query string may hold (D10, D15). */
export type ParseLimits = Readonly<{
  /** `api.rest.maxArrayLength`: members of an array. */
  maxArrayLength: number
  /** `api.rest.nestedPagination`: whether `populate[x][pagination]` is understood. */
  nestedPagination: boolean
  /** Parameters that nothing understands are refused, or passed over where Strapi never checks (`/api/users`). */
  unknownParameters: 'refuse' | 'ignore'
}>

/** Levels of brackets, as in Strapi. */
export const maxDepth = 20
/** Parameters of one query string; beyond it qs would drop them in silence. */
export const maxParameters = 10_000
/** Characters of one filter value. */
export const maxValueLength = 4096
