import type { ScalarType } from '../../values/scalar-type.js'

/**
 * The vocabulary of aggregations (docs/internals/decisions.md, "Aggregation"), for the parser and the API documents.
 */

/** Functions over the values in a group: parameters of the request and members of the response. */
export const measures = ['sum', 'avg', 'min', 'max'] as const
export type Measure = (typeof measures)[number]

/** Units by which dates are grouped, in UTC. A week begins on a Monday. */
export const dateUnits = ['year', 'quarter', 'month', 'week', 'day', 'hour'] as const
export type DateUnit = (typeof dateUnits)[number]

export const groupParameters = ['groupBy', 'count', ...measures] as const

/** Parameters of a list that aggregations reject, because the response shows no entries. */
export const entryParameters = ['fields', 'populate', 'pLevel', 'pIgnore'] as const

export const maxGroupKeys = 8
/** Maximum for one request, not counting `count`. */
export const maxMeasures = 16

/** Returns the units by which values of a type can be grouped. */
export function unitsOf(type: ScalarType): readonly DateUnit[] {
  if (type === 'datetime' || type === 'timestamp') return dateUnits
  return type === 'date' ? dateUnits.filter((unit) => unit !== 'hour') : []
}

/** Whether a type can be measured: sums and averages need a number, minimum and maximum an order. */
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
