/** Types that responses contain even without `populate` (docs/internals/strapi-behaviour.md, "Attribute types"). */
export const scalarTypes = [
  'string',
  'text',
  'richtext',
  'enumeration',
  'email',
  'password',
  'uid',
  'date',
  'time',
  'datetime',
  'timestamp',
  'integer',
  'biginteger',
  'float',
  'decimal',
  'boolean',
  'json',
  'array',
  'blocks',
] as const
export type ScalarType = (typeof scalarTypes)[number]

/** Any JSON, which has no order and cannot be compared. */
export const jsonTypes: ReadonlySet<string> = new Set(['json', 'array', 'blocks'])

/** Types without a meaningful order, which cannot be indexed or unique. A password is stored as a hash. */
export const unorderedTypes: ReadonlySet<string> = new Set([...jsonTypes, 'password'])

/** Searched by text operators and `_q`. */
export const textTypes: ReadonlySet<string> = new Set([
  'string',
  'text',
  'richtext',
  'enumeration',
  'email',
  'uid',
])

/** `_q` finds an entry if one of its numbers equals the search text. */
export const numberTypes: ReadonlySet<string> = new Set([
  'integer',
  'biginteger',
  'float',
  'decimal',
])
