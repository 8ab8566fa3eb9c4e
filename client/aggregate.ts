import type { CheckKeys, CheckMeasured, CheckOrder } from './check-groups.js'
import type { ContentType } from './content-type.js'
import type { GroupKey, Measured, NumberName, OrderedName } from './group-names.js'
import type { Group } from './group-result.js'
import type { ListAnswer, NoneOr, Only, PaginationKey, RequestOptions } from './methods.js'
import type { Pagination, PublicationFilter, Status } from './query.js'

type OneOrMore<K> = K | readonly K[]

interface AggregateQuery<T extends ContentType, G, C, A, V, I, X, O, S, N> {
  /** Keys to group by: `'kind'`, `['author.name', 'publishedAt:month']`. Default: a single group. */
  readonly groupBy?: G & CheckKeys<T, G>
  /** `'*'` returns the number of entries in each group. This is the default if no measure is requested. */
  readonly count?: C | undefined
  /** Number attributes to add up, possibly inside a single component: `'price.amount'`. */
  readonly sum?: A & CheckMeasured<T, A, 'number'>
  readonly avg?: V & CheckMeasured<T, V, 'number'>
  /** Attributes to find the minimum of. Their values must have an order. */
  readonly min?: I & CheckMeasured<T, I, 'ordered'>
  readonly max?: X & CheckMeasured<T, X, 'ordered'>
  /**
   * Keys to sort by: `groupBy` keys without their unit, `count`, or measures. Example: `['sum.views:desc',
   * 'publishedAt']`.
   */
  readonly sort?: O & CheckOrder<{ groupBy: G; count: C; sum: A; avg: V; min: I; max: X }, O>
  readonly pagination?: (N & Only<N, PaginationKey>) | undefined
  /** `filters` and `_q` select the entries, as in a list. */
  readonly filters?: T['filters'] | undefined
  readonly _q?: string | undefined
  /** Default: `'published'`. */
  readonly status?: S | undefined
  readonly locale?: string | readonly string[] | undefined
  readonly fallback?: boolean | undefined
  readonly publicationFilter?: PublicationFilter | undefined
  readonly hasPublishedVersion?: boolean | undefined
}

/** Aggregation of entries (docs/aggregation.md). */
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
