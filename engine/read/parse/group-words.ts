import type { ScalarType } from '../../values/scalar-type.js'

/**
 * The vocabulary of aggregations (docs/internals/decisions.md, "Aggregation"). The parser and the API documents both
 * use it.
 */

/**
 * Functions over the values of an attribute in a group. Each is a parameter of the request and a member of the
 * response.
 */
export const measures = ['sum', 'avg', 'min', 'max'] as const
export type Measure = (typeof measures)[number]

/** Units by which dates can be grouped, in UTC. A week begins on a Monday. */
export const dateUnits = ['year', 'quarter', 'month', 'week', 'day', 'hour'] as const
export type DateUnit = (typeof dateUnits)[number]

/** Parameters that only aggregations have. */
export const groupParameters = ['groupBy', 'count', ...measures] as const

/** Parameters of a list that aggregations do not accept, because the response shows no entries. */
export const entryParameters = ['fields', 'populate', 'pLevel', 'pIgnore'] as const

/** Maximum number of keys in `groupBy`. */
export const maxGroupKeys = 8
/** Maximum number of measures in a request. `count` is not a measure. */
export const maxMeasures = 16

/** Returns the units by which values of a type can be grouped. Types other than dates have none. */
export function unitsOf(type: ScalarType): readonly DateUnit[] {
  if (type === 'datetime' || type === 'timestamp') return dateUnits
  return type === 'date' ? dateUnits.filter((unit) => unit !== 'hour') : []
}

/** Whether a type can be measured: sums and averages need a number, minimum and maximum need an order. */
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
