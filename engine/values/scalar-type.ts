/** Types whose values responses show without `populate` (docs/coming-from-strapi.md, "Attribute types"). */
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

/** Types that hold any JSON, which has no order and cannot be compared. */
export const jsonTypes: ReadonlySet<string> = new Set(['json', 'array', 'blocks'])

/** Types whose values have no order that an index could hold; a password is a hash. */
export const unorderedTypes: ReadonlySet<string> = new Set([...jsonTypes, 'password'])

/** Types that hold text and that text operators and `_q` apply to. */
export const textTypes: ReadonlySet<string> = new Set([
  'string',
  'text',
  'richtext',
  'enumeration',
  'email',
  'uid',
])

/** Types that hold numbers. `_q` finds numbers by their value. */
export const numberTypes: ReadonlySet<string> = new Set([
  'integer',
  'biginteger',
  'float',
  'decimal',
])
