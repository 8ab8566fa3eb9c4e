import type { ScalarType } from '../../values/scalar-type.js'

/**
 * What an aggregation may say (docs/decisions.md, "Aggregation"): what reads such a query, and what tells people and
 * tools of it, go by these.
 */

/** What is worked out of the values of an attribute in a group; each is a parameter, and a member of the answer. */
export const measures = ['sum', 'avg', 'min', 'max'] as const
export type Measure = (typeof measures)[number]

/** Parts of the calendar that dates are grouped by, in UTC; a week begins on a Monday. */
export const dateUnits = ['year', 'quarter', 'month', 'week', 'day', 'hour'] as const
export type DateUnit = (typeof dateUnits)[number]

/** The parameters that a list does not know. */
export const groupParameters = ['groupBy', 'count', ...measures] as const

/** Those of a list that an aggregation does not know: it shows no entries. */
export const entryParameters = ['fields', 'populate', 'pLevel', 'pIgnore'] as const

/** Keys of `groupBy`. */
export const maxGroupKeys = 8
/** Values of a group, `count` not among them. */
export const maxMeasures = 16

/** The units by which values of a type may be grouped; none for what is no date. */
export function unitsOf(type: ScalarType): readonly DateUnit[] {
  if (type === 'datetime' || type === 'timestamp') return dateUnits
  return type === 'date' ? dateUnits.filter((unit) => unit !== 'hour') : []
}

/** Whether a measure has a meaning for values of a type: what is added up is a number, what is compared has an order. */
export function isMeasurable(measure: Measure, type: ScalarType): boolean {
  if (measure === 'sum' || measure === 'avg') return summable.has(type)
  return !unordered.has(type)
}

const summable: ReadonlySet<ScalarType> = new Set<ScalarType>([
  ...(['integer', 'biginteger', 'float', 'decimal'] as const),
])
const unordered: ReadonlySet<ScalarType> = new Set<ScalarType>([
  ...(['json', 'array', 'blocks', 'boolean', 'password'] as const),
])
