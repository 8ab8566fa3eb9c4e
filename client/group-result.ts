import type { ContentType } from './content-type.js'
import type { RequestedGroups, Named, Through, ThroughSingle, Unitless } from './group-names.js'
import type { Shown, Status } from './query.js'
import type { Flat, Version } from './result.js'

/** A group in the response to the aggregation `Q`. */
export type Group<T extends ContentType, Q extends RequestedGroups, S extends Status> = Flat<
  { group: Keys<T, Q['groupBy'], S> } & Counted<Q> &
    Member<'sum', Sums<T, Q['sum']>, Q['sum']> &
    Member<'avg', Averages<Q['avg']>, Q['avg']> &
    Member<'min', Extremes<T, Q['min']>, Q['min']> &
    Member<'max', Extremes<T, Q['max']>, Q['max']>
>

/** The member `K` of a group. It is optional if the compiler cannot tell whether the query requests it. */
type Member<K extends string, V, Requested> = [Requested] extends [undefined]
  ? unknown
  : undefined extends Requested
    ? { [N in K]?: V }
    : { [N in K]: V }

/** The member `count`, which exists if the query requests it, or requests no measure at all. */
export type Counted<Q extends RequestedGroups> = [Q['count']] extends ['*']
  ? { count: number }
  : [Q['sum' | 'avg' | 'min' | 'max']] extends [undefined]
    ? { count: number }
    : // The compiler cannot tell whether the query requests any measure.
      undefined extends Q['sum'] & Q['avg'] & Q['min'] & Q['max']
      ? { count?: number }
      : [Q['count']] extends [undefined]
        ? unknown
        : { count?: number }

type IsOpen<L> = L extends readonly unknown[] ? (number extends L['length'] ? true : false) : false

/** The members `M`, one per name in the list `L`. They are optional if the compiler does not know the list. */
type Listed<L, M> = true extends IsOpen<L> ? Partial<M> : M

type Keys<T extends ContentType, G, S extends Status> = Listed<
  G,
  { [K in Named<G>]: KeyValue<Version<T, S>, T['parts'], Unitless<K>, S> }
>

/** The value of the `groupBy` key `K`. `E` is the entry or component where the path begins, with the parts `Parts`. */
type KeyValue<E, Parts, K, S extends Status> = K extends keyof E
  ? E[K]
  : K extends `${infer Head}.${infer Rest}`
    ? Head extends keyof Parts
      ? Behind<Through<Parts, Head>, Rest, S> | null
      : never
    : never

type Behind<T, Rest, S extends Status> = T extends Shown
  ? KeyValue<T extends ContentType ? Version<T, S> : T['entry'], T['parts'], Rest, S>
  : never

type Sums<T extends ContentType, L> = Listed<
  L,
  { [K in Named<L>]: Exclude<OwnValue<T['entry'], T['parts'], K>, null> }
>

type Averages<L> = Listed<L, { [K in Named<L>]: number | null }>

type Extremes<T extends ContentType, L> = Listed<
  L,
  { [K in Named<L>]: OwnValue<T['entry'], T['parts'], K> | null }
>

/** The value of an attribute of the entry itself, or of a single component in it. */
type OwnValue<E, Parts, K> = K extends keyof E
  ? E[K]
  : K extends `${infer Head}.${infer Rest}`
    ? Head extends keyof Parts
      ? Inside<ThroughSingle<Parts, Head>, Rest>
      : never
    : never

type Inside<C, Rest> = C extends Shown ? OwnValue<C['entry'], C['parts'], Rest> : never
