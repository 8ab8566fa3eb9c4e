import type { ContentType } from './content-type.js'
import type { RequestedGroups, Named, Through, ThroughSingle, Unitless } from './group-names.js'
import type { Shown, Status } from './query.js'
import type { Flat, Version } from './result.js'

/** A group in a response, derived from the query. */
export type Group<T extends ContentType, Q extends RequestedGroups, S extends Status> = Flat<
  { group: Keys<T, Q['groupBy'], S> } & Counted<Q> &
    Member<'sum', Sums<T, Q['sum']>, Q['sum']> &
    Member<'avg', Averages<Q['avg']>, Q['avg']> &
    Member<'min', Extremes<T, Q['min']>, Q['min']> &
    Member<'max', Extremes<T, Q['max']>, Q['max']>
>

/**
 * A member that is present if its parameter is. It is optional if only the run time determines whether the parameter is
 * present.
 */
type Member<K extends string, V, Requested> = [Requested] extends [undefined]
  ? unknown
  : undefined extends Requested
    ? { [N in K]?: V }
    : { [N in K]: V }

/** The number of entries. It is present if it is requested, or if no measure is requested. */
export type Counted<Q extends RequestedGroups> = [Q['count']] extends ['*']
  ? { count: number }
  : [Q['sum' | 'avg' | 'min' | 'max']] extends [undefined]
    ? { count: number }
    : // Measures may be absent.
      undefined extends Q['sum'] & Q['avg'] & Q['min'] & Q['max']
      ? { count?: number }
      : [Q['count']] extends [undefined]
        ? unknown
        : { count?: number }

type IsOpen<L> = L extends readonly unknown[] ? (number extends L['length'] ? true : false) : false

/** Members by name. They are optional if only the run time determines the list of names. */
type Listed<L, M> = true extends IsOpen<L> ? Partial<M> : M

type Keys<T extends ContentType, G, S extends Status> = Listed<
  G,
  { [K in Named<G>]: KeyValue<Version<T, S>, T['parts'], Unitless<K>, S> }
>

/** The value of a key. `E` is the entry where the path begins. `Parts` are the parts of that entry. */
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

/** A value in the entry itself, or in a single component of it. */
type OwnValue<E, Parts, K> = K extends keyof E
  ? E[K]
  : K extends `${infer Head}.${infer Rest}`
    ? Head extends keyof Parts
      ? Inside<ThroughSingle<Parts, Head>, Rest>
      : never
    : never

type Inside<C, Rest> = C extends Shown ? OwnValue<C['entry'], C['parts'], Rest> : never
