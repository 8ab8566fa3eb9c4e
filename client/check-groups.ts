import type { NoSuch } from './check-populate.js'
import type {
  GroupsAsked,
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

/**
 * Paths of groups and measures are inferred from what is written, as populate trees are (`CheckPopulate`): where one
 * means nothing these types are not what was written.
 */
export type CheckKeys<T extends Shown, G> =
  // While it is inferred, the compiler looks at whatever might be written: all keys that there are.
  'id' | 'documentId' extends G
    ? unknown
    : G extends readonly unknown[]
      ? { readonly [I in keyof G]: CheckKey<T, G[I]> }
      : CheckKey<T, G>

/** One name at a time: what a whole content-type may be grouped by is much to work out for each that a path leads to. */
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

/** The rest of a path, behind the structure that it leads through. */
type CheckBehind<S, Rest, Which> = [S] extends [never]
  ? NoSuch<Rest>
  : S extends Shown
    ? // What a path holds is known only when it is asked.
      string extends Rest
      ? Rest
      : Which extends Kind
        ? CheckMeasure<S, Rest, Which>
        : CheckKey<S, Rest>
    : never

/** Where what is behind a path's first name is there, the path; else what says that it is not. */
type Known<Found, Rest, K> = Found extends Rest ? K : Found

/** `Kind`: which attributes can be measured so. */
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

/** What groups are sorted by is what is asked of them. */
export type CheckOrder<Q extends GroupsAsked, O> = string extends O
  ? unknown
  : O extends readonly unknown[]
    ? { readonly [I in keyof O]: CheckOne<OrderOf<Q>, O[I]> }
    : CheckOne<OrderOf<Q>, O>

type CheckOne<Known extends string, O> = O extends Known | `${Known}:${Order}` | undefined
  ? O
  : NoSuch<O>

type OrderOf<Q extends GroupsAsked> =
  | Unitless<Named<Q['groupBy']>>
  // Of what may be counted.
  | ([Counted<Q>] extends [{ count?: number }] ? 'count' : never)
  | {
      [M in 'sum' | 'avg' | 'min' | 'max']: `${M}.${Named<Q[M]>}`
    }['sum' | 'avg' | 'min' | 'max']
