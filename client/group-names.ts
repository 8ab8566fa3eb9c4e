import type { ComponentOf, ContentType, TargetOf } from './content-type.js'
import type { Shown, SortName } from './query.js'

/** What is asked of groups, by the parameters' names. */
export interface GroupsAsked {
  groupBy?: unknown
  count?: unknown
  sum?: unknown
  avg?: unknown
  min?: unknown
  max?: unknown
}

/** Parts of the calendar that dates are grouped by. */
type DayUnit = 'year' | 'quarter' | 'month' | 'week' | 'day'

/** Names whose filters take a value of this type: those of numbers take bigints, those of dates `Date`s. */
type Taking<T extends Shown, V> = {
  [K in SortName<T>]: K extends keyof T['filters'] ? (V extends T['filters'][K] ? K : never) : never
}[SortName<T>]

/** What can be added up. */
export type NumberName<T extends Shown> = Taking<T, bigint>

/** What has a least and a greatest value. */
export type OrderedName<T extends Shown> = Exclude<SortName<T>, Taking<T, boolean>>

/** The units of what a filter asks: of dates without a time there are no hours. */
export type UnitsOf<F> = Date extends F ? DayUnit | (number extends F ? 'hour' : never) : never

/** A name that a group is told by, dates also with a unit. */
type OwnKey<T extends Shown> =
  | SortName<T>
  | {
      [K in SortName<T>]: K extends keyof T['filters'] ? `${K}:${UnitsOf<T['filters'][K]>}` : never
    }[SortName<T>]

/** What a path to a key leads through: not several structures, nor who wrote an entry, nor other locales. */
export type Through<Parts, K extends keyof Parts> = K extends 'localizations'
  ? never
  : Parts[K] extends { is: 'one' | 'many' | 'wrapped' }
    ? TargetOf<Parts[K]>
    : ComponentOf<Parts[K]>

/** What a path to a measured attribute leads through: components of which there is one. */
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

/** What `groupBy` may name; paths are looked at where they are written (`CheckKeys`). */
export type GroupKey<T extends ContentType> = OwnKey<T> | `${NamesThrough<T['parts']>}.${string}`

/** What a measure of these names may name. */
export type Measured<T extends ContentType, Own extends string> =
  Own | `${SingleNames<T['parts']>}.${string}`

/** `publishedAt:month` without its unit. */
export type Unitless<K> = K extends `${infer Path}:${string}` ? Path : K

/** The names of a parameter that holds one or a list of them. */
export type Named<L> = L extends readonly (infer K extends string)[]
  ? K
  : L extends string
    ? L
    : never
