import type { NoSuch } from './check-populate.js'
import type {
  RequestedGroups,
  Named,
  NumberName,
  OrderedName,
  Through,
  ThroughSingle,
  Unitless,
  UnitsOf,
} from './group-names.js'
import type { Counted } from './group-result.js'
import type { Order, Shown } from './query.js'

/** Checks the inferred `groupBy` keys. An invalid key becomes an error type, so that the argument does not compile. */
export type CheckKeys<T extends Shown, G> =
  // During inference, the compiler passes the union of all possible keys, which needs no check.
  'id' | 'documentId' extends G
    ? unknown
    : G extends readonly unknown[]
      ? { readonly [I in keyof G]: CheckKey<T, G[I]> }
      : CheckKey<T, G>

/** Checks a `groupBy` key one name at a time, because computing all possible keys of a content-type is expensive. */
type CheckKey<T extends Shown, K> = K extends keyof T['entry']
  ? K extends T['unsorted']
    ? NoSuch<K>
    : K
  : K extends `${infer Head}.${infer Rest}`
    ? Head extends keyof T['parts']
      ? Known<CheckBehind<Through<T['parts'], Head>, Rest, 'key'>, Rest, K>
      : NoSuch<Head>
    : K extends `${infer Name}:${infer Unit}`
      ? Name extends keyof T['filters']
        ? Unit extends UnitsOf<T['filters'][Name]>
          ? K
          : NoSuch<K>
        : NoSuch<Name>
      : K extends undefined
        ? K
        : NoSuch<K>

/** Checks a path after its first name. `S` is the content-type or component that this name leads to. */
type CheckBehind<S, Rest, Which> = [S] extends [never]
  ? NoSuch<Rest>
  : S extends Shown
    ? // A path of type `string` can only be checked at run time.
      string extends Rest
      ? Rest
      : Which extends Kind
        ? CheckMeasure<S, Rest, Which>
        : CheckKey<S, Rest>
    : never

/**
 * Returns the whole path `K` if the check of `Rest` has returned `Rest` itself. Otherwise returns `Found`, the error.
 */
type Known<Found, Rest, K> = Found extends Rest ? K : Found

/** Kinds of attributes that a measure accepts. */
type Kind = 'number' | 'ordered'

export type CheckMeasured<T extends Shown, M, Which extends Kind> = 'id' extends M
  ? unknown
  : M extends readonly unknown[]
    ? { readonly [I in keyof M]: CheckMeasure<T, M[I], Which> }
    : CheckMeasure<T, M, Which>

type NamesOf<T extends Shown, Which> = Which extends 'number' ? NumberName<T> : OrderedName<T>

type CheckMeasure<T extends Shown, M, Which> =
  M extends NamesOf<T, Which>
    ? M
    : M extends `${infer Head}.${infer Rest}`
      ? Head extends keyof T['parts']
        ? Known<CheckBehind<ThroughSingle<T['parts'], Head>, Rest, Which>, Rest, M>
        : NoSuch<Head>
      : M extends undefined
        ? M
        : NoSuch<M>

/** Checks the sort keys of an aggregation. Each must be a `groupBy` key or a measure of the same query. */
export type CheckOrder<Q extends RequestedGroups, O> = string extends O
  ? unknown
  : O extends readonly unknown[]
    ? { readonly [I in keyof O]: CheckOne<OrderOf<Q>, O[I]> }
    : CheckOne<OrderOf<Q>, O>

type CheckOne<Known extends string, O> = O extends Known | `${Known}:${Order}` | undefined
  ? O
  : NoSuch<O>

type OrderOf<Q extends RequestedGroups> =
  | Unitless<Named<Q['groupBy']>>
  // Only allow sorting by `count` if the groups may contain it.
  | ([Counted<Q>] extends [{ count?: number }] ? 'count' : never)
  | {
      [M in 'sum' | 'avg' | 'min' | 'max']: `${M}.${Named<Q[M]>}`
    }['sum' | 'avg' | 'min' | 'max']
