import type { ComponentOf, ContentType, TargetOf } from './content-type.js'
import type { Shown, SortName } from './query.js'

/** The query parameters of an aggregation that determine its groups and their measures. */
export interface RequestedGroups {
  groupBy?: unknown
  count?: unknown
  sum?: unknown
  avg?: unknown
  min?: unknown
  max?: unknown
}

/** Units by which dates can be grouped. */
type DayUnit = 'year' | 'quarter' | 'month' | 'week' | 'day'

/**
 * Names of the attributes whose filter accepts values of type `V`. `bigint` finds the number attributes, and `boolean`
 * the boolean ones.
 */
type Taking<T extends Shown, V> = {
  [K in SortName<T>]: K extends keyof T['filters'] ? (V extends T['filters'][K] ? K : never) : never
}[SortName<T>]

/** Names of number attributes. Only these have sums and averages. */
export type NumberName<T extends Shown> = Taking<T, bigint>

/** Names of attributes whose values can be ordered. Only these have a minimum and a maximum. */
export type OrderedName<T extends Shown> = Exclude<SortName<T>, Taking<T, boolean>>

/**
 * Units by which an attribute with the filter `F` can be grouped. Only dates have units, and only dates with a time can
 * be grouped by hour.
 */
export type UnitsOf<F> = Date extends F ? DayUnit | (number extends F ? 'hour' : never) : never

/** A `groupBy` key that names an attribute of the entry itself. Dates may have a unit: `publishedAt:month`. */
type OwnKey<T extends Shown> =
  | SortName<T>
  | {
      [K in SortName<T>]: K extends keyof T['filters'] ? `${K}:${UnitsOf<T['filters'][K]>}` : never
    }[SortName<T>]

/**
 * The content-type or component that the part `K` of a `groupBy` path leads to. Paths cannot lead through polymorphic
 * relations, creators or `localizations`.
 */
export type Through<Parts, K extends keyof Parts> = K extends 'localizations'
  ? never
  : Parts[K] extends { is: 'one' | 'many' | 'wrapped' }
    ? TargetOf<Parts[K]>
    : ComponentOf<Parts[K]>

/**
 * The single component that the part `K` of a measure's path leads to. Such paths can only lead through single
 * components.
 */
export type ThroughSingle<Parts, K extends keyof Parts> = Parts[K] extends {
  is: 'component' | 'required'
}
  ? ComponentOf<Parts[K]>
  : never

type NamesThrough<Parts> = {
  [K in keyof Parts & string]: [Through<Parts, K>] extends [never] ? never : K
}[keyof Parts & string]

type SingleNames<Parts> = {
  [K in keyof Parts & string]: [ThroughSingle<Parts, K>] extends [never] ? never : K
}[keyof Parts & string]

/** Keys that `groupBy` accepts. Of a path, only the first name is checked here; `CheckKeys` checks the rest. */
export type GroupKey<T extends ContentType> = OwnKey<T> | `${NamesThrough<T['parts']>}.${string}`

/** Names that a measure accepts: those in `Own`, and paths through single components. */
export type Measured<T extends ContentType, Own extends string> =
  Own | `${SingleNames<T['parts']>}.${string}`

/** Removes the unit from a `groupBy` key: `publishedAt:month` becomes `publishedAt`. */
export type Unitless<K> = K extends `${infer Path}:${string}` ? Path : K

/** The union of the names in a parameter, which is a single name or a list of names. */
export type Named<L> = L extends readonly (infer K extends string)[]
  ? K
  : L extends string
    ? L
    : never
