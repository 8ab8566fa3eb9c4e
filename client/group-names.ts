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

/** Names whose filters accept values of type `V`: filters of numbers accept bigints, those of dates `Date`s. */
type Taking<T extends Shown, V> = {
  [K in SortName<T>]: K extends keyof T['filters'] ? (V extends T['filters'][K] ? K : never) : never
}[SortName<T>]

/** Names of numbers, which have sums. */
export type NumberName<T extends Shown> = Taking<T, bigint>

/** Names of values with an order, which have a minimum and a maximum. */
export type OrderedName<T extends Shown> = Exclude<SortName<T>, Taking<T, boolean>>

/** Units of a filter's type. Dates without a time have no hours. */
export type UnitsOf<F> = Date extends F ? DayUnit | (number extends F ? 'hour' : never) : never

/** A key of the entry itself; dates also with a unit. */
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

/** The names in a parameter, which is a name or a list. */
export type Named<L> = L extends readonly (infer K extends string)[]
  ? K
  : L extends string
    ? L
    : never
