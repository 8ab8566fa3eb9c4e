import type { ComponentOf, ContentType, TargetOf } from './content-type.js'
import type { Shown, SortName } from './query.js'

/** The parameters of an aggregation that determine its groups and measures. */
export interface RequestedGroups {
  groupBy?: unknown
  count?: unknown
  sum?: unknown
  avg?: unknown
  min?: unknown
  max?: unknown
}

type DayUnit = 'year' | 'quarter' | 'month' | 'week' | 'day'

/**
 * Names of the attributes whose filter accepts values of type `V`. `V` is `bigint` for numbers, `boolean` for booleans.
 */
type Taking<T extends Shown, V> = {
  [K in SortName<T>]: K extends keyof T['filters'] ? (V extends T['filters'][K] ? K : never) : never
}[SortName<T>]

/** Names of the attributes that `sum` and `avg` accept: those of numbers. */
export type NumberName<T extends Shown> = Taking<T, bigint>

/** Names of the attributes that `min` and `max` accept: those whose values have an order. */
export type OrderedName<T extends Shown> = Exclude<SortName<T>, Taking<T, boolean>>

/**
 * Units by which `groupBy` can group an attribute with the filter `F`. Only dates have units, and only dates with a
 * time can be grouped by hour.
 */
export type UnitsOf<F> = Date extends F ? DayUnit | (number extends F ? 'hour' : never) : never

/** An attribute of the entry itself, with a unit if it is a date: `publishedAt:month`. */
type OwnKey<T extends Shown> =
  | SortName<T>
  | {
      [K in SortName<T>]: K extends keyof T['filters'] ? `${K}:${UnitsOf<T['filters'][K]>}` : never
    }[SortName<T>]

/**
 * The content-type or component that the part `K` of a `groupBy` path leads to. `never` if `groupBy` does not allow
 * this part.
 */
export type Through<Parts, K extends keyof Parts> = K extends 'localizations'
  ? never
  : Parts[K] extends { is: 'one' | 'many' | 'wrapped' }
    ? TargetOf<Parts[K]>
    : ComponentOf<Parts[K]>

/** The component that the part `K` of a measure's path leads to. `never` if the part is not a single component. */
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

/** Keys that `groupBy` accepts. Only the first name of a path is checked here; `CheckKeys` checks the rest. */
export type GroupKey<T extends ContentType> = OwnKey<T> | `${NamesThrough<T['parts']>}.${string}`

/** Names that a measure accepts: those in `Own`, and paths through single components. */
export type Measured<T extends ContentType, Own extends string> =
  Own | `${SingleNames<T['parts']>}.${string}`

/** Converts `publishedAt:month` to `publishedAt`. */
export type Unitless<K> = K extends `${infer Path}:${string}` ? Path : K

/** The names in a parameter, which is a single name or a list. */
export type Named<L> = L extends readonly (infer K extends string)[]
  ? K
  : L extends string
    ? L
    : never
