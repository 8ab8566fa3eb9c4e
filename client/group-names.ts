import type { ComponentOf, ContentType, TargetOf } from './content-type.js'
import type { Shown, SortName } from './query.js'

/** Parameters that define groups, by name. */
export interface RequestedGroups {
  groupBy?: unknown
  count?: unknown
  sum?: unknown
  avg?: unknown
  min?: unknown
  max?: unknown
}

/** Units that dates are grouped by. */
type DayUnit = 'year' | 'quarter' | 'month' | 'week' | 'day'

/**
 * Names whose filters accept values of type `V`. Filters of numbers accept bigints, and filters of dates accept
 * `Date`s.
 */
type Taking<T extends Shown, V> = {
  [K in SortName<T>]: K extends keyof T['filters'] ? (V extends T['filters'][K] ? K : never) : never
}[SortName<T>]

/** Names of numbers. Only numbers have sums and averages. */
export type NumberName<T extends Shown> = Taking<T, bigint>

/** Names of values with an order. These have a minimum and a maximum. */
export type OrderedName<T extends Shown> = Exclude<SortName<T>, Taking<T, boolean>>

/** Units by which values can be grouped. Dates without a time cannot be grouped by hour. */
export type UnitsOf<F> = Date extends F ? DayUnit | (number extends F ? 'hour' : never) : never

/** A key in the entry itself. A date may have a unit. */
type OwnKey<T extends Shown> =
  | SortName<T>
  | {
      [K in SortName<T>]: K extends keyof T['filters'] ? `${K}:${UnitsOf<T['filters'][K]>}` : never
    }[SortName<T>]

/** The structure that a path may lead through. Polymorphic relations, creators and other locales are excluded. */
export type Through<Parts, K extends keyof Parts> = K extends 'localizations'
  ? never
  : Parts[K] extends { is: 'one' | 'many' | 'wrapped' }
    ? TargetOf<Parts[K]>
    : ComponentOf<Parts[K]>

/** The single component that the path of a measure may lead through. */
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

/** Keys of `groupBy`. Paths are checked by `CheckKeys`. */
export type GroupKey<T extends ContentType> = OwnKey<T> | `${NamesThrough<T['parts']>}.${string}`

/** Names that a measure accepts. */
export type Measured<T extends ContentType, Own extends string> =
  Own | `${SingleNames<T['parts']>}.${string}`

/** `publishedAt:month` without its unit. */
export type Unitless<K> = K extends `${infer Path}:${string}` ? Path : K

/** The names in a parameter. The parameter is a single name or a list of names. */
export type Named<L> = L extends readonly (infer K extends string)[]
  ? K
  : L extends string
    ? L
    : never
