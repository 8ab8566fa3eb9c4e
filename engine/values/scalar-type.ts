/**
 * Types of attributes that responses contain even without `populate`
 * (docs/internals/strapi-behaviour.md, "Attribute types").
 */
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

/** Types whose values can be any JSON. Such values have no order and cannot be compared. */
export const jsonTypes: ReadonlySet<string> = new Set(['json', 'array', 'blocks'])

/**
 * Types whose values cannot be indexed or unique, because they have no meaningful order. A password is stored as a
 * hash.
 */
export const unorderedTypes: ReadonlySet<string> = new Set([...jsonTypes, 'password'])

/** Text types that text operators and `_q` search. */
export const textTypes: ReadonlySet<string> = new Set([
  'string',
  'text',
  'richtext',
  'enumeration',
  'email',
  'uid',
])

/** Number types. `_q` finds an entry if one of its numbers equals the search text. */
export const numberTypes: ReadonlySet<string> = new Set([
  'integer',
  'biginteger',
  'float',
  'decimal',
])
