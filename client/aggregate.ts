import type { CheckKeys, CheckMeasured, CheckOrder } from './check-groups.js'
import type { ContentType } from './content-type.js'
import type { GroupKey, Measured, NumberName, OrderedName } from './group-names.js'
import type { Group } from './group-result.js'
import type { ListAnswer, NoneOr, Only, PaginationKey, RequestOptions } from './methods.js'
import type { Pagination, PublicationFilter, Status } from './query.js'

type OneOrMore<K> = K | readonly K[]

/** What groups are asked for with. */
interface AggregateQuery<T extends ContentType, G, C, A, V, I, X, O, S, N> {
  /** What entries are told apart by: `'kind'`, `['author.name', 'publishedAt:month']`; default: all are one group. */
  readonly groupBy?: G & CheckKeys<T, G>
  /** How many entries a group has; what is answered where nothing is worked out. */
  readonly count?: C | undefined
  /** Of numbers, also of those in single components: `'price.amount'`. */
  readonly sum?: A & CheckMeasured<T, A, 'number'>
  readonly avg?: V & CheckMeasured<T, V, 'number'>
  /** The least of what has an order. */
  readonly min?: I & CheckMeasured<T, I, 'ordered'>
  readonly max?: X & CheckMeasured<T, X, 'ordered'>
  /** By keys without their unit, `count`, or what is worked out: `['sum.views:desc', 'publishedAt']`. */
  readonly sort?: O & CheckOrder<{ groupBy: G; count: C; sum: A; avg: V; min: I; max: X }, O>
  /** Of groups. */
  readonly pagination?: (N & Only<N, PaginationKey>) | undefined
  /** Which entries, as of a list. */
  readonly filters?: T['filters'] | undefined
  readonly _q?: string | undefined
  /** Default: published. */
  readonly status?: S | undefined
  readonly locale?: string | readonly string[] | undefined
  readonly fallback?: boolean | undefined
  readonly publicationFilter?: PublicationFilter | undefined
  readonly hasPublishedVersion?: boolean | undefined
}

/** What entries have in common instead of the entries (docs/aggregation.md). */
export interface Aggregates<T extends ContentType> {
  aggregate<
    const G extends NoneOr<OneOrMore<GroupKey<T>>> = undefined,
    const C extends NoneOr<'*'> = undefined,
    const A extends NoneOr<OneOrMore<Measured<T, NumberName<T>>>> = undefined,
    const V extends NoneOr<OneOrMore<Measured<T, NumberName<T>>>> = undefined,
    const I extends NoneOr<OneOrMore<Measured<T, OrderedName<T>>>> = undefined,
    const X extends NoneOr<OneOrMore<Measured<T, OrderedName<T>>>> = undefined,
    const O extends NoneOr<OneOrMore<string>> = undefined,
    const S extends Status = 'published',
    const N extends NoneOr<Pagination> = undefined,
  >(
    query?: AggregateQuery<T, G, C, A, V, I, X, O, S, N>,
    options?: RequestOptions,
  ): Promise<ListAnswer<Group<T, { groupBy: G; count: C; sum: A; avg: V; min: I; max: X }, S>, N>>
}
