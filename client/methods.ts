import type { CheckPopulate, NoSuch } from './check-populate.js'
import type { ContentType } from './content-type.js'
import type {
  Deep,
  Fields,
  Pagination,
  Populate,
  PublicationFilter,
  Sort,
  Status,
} from './query.js'
import type { Result } from './result.js'

/** Options for a single request. */
export interface RequestOptions {
  /** The promise rejects with the reason of this signal if it aborts. */
  signal?: AbortSignal | undefined
  /** Time limit in ms, instead of the client's `timeoutMs`. */
  timeoutMs?: number | undefined
  /** Additional headers, for example `If-Match` or `Idempotency-Key`. */
  headers?: Readonly<Record<string, string>> | undefined
}

/** Rejects members that are not in `K`. Without this, an object whose type is inferred could have any members. */
export type Only<A, K extends PropertyKey> = {
  readonly [N in Exclude<keyof A, K>]: NoSuch<N>
}

/** `fields` and `populate` select what the response contains, as in a read. */
export interface WriteQuery<T extends ContentType, F, P, S, L> {
  /** Attributes to return: `'title'`, `['title', 'slug']`. Default: all that are shown by default. */
  readonly fields?: F | undefined
  /** Parts to return: `'*'`, `['author', 'author.avatar']`, `{ author: { fields: ['name'] } }`. */
  readonly populate?: P & CheckPopulate<T, P>
  /** Default: `'published'`. */
  readonly status?: S | undefined
  readonly locale?: L | undefined
}

/** Parameters of a read of one entry. */
export interface EntryQuery<T extends ContentType, F, P, S, L, D, B> extends WriteQuery<
  T,
  F,
  P,
  S,
  L
> {
  /** Whether to return the version in a fallback locale if the entry does not exist in `locale`. */
  readonly fallback?: B | undefined
  readonly filters?: T['filters'] | undefined
  readonly publicationFilter?: PublicationFilter | undefined
  readonly hasPublishedVersion?: boolean | undefined
  /** Populates every part down to this depth, instead of `populate`. The entry itself counts as the first level. */
  readonly pLevel?: D | undefined
  /** Parts that `pLevel` skips. */
  readonly pIgnore?: string | readonly string[] | undefined
}

/** Parameters of a list. */
export interface ListQuery<T extends ContentType, F, P, S, L, D, B, N> extends EntryQuery<
  T,
  F,
  P,
  S,
  L,
  D,
  B
> {
  readonly sort?: Sort<T> | undefined
  readonly pagination?: (N & Only<N, PaginationKey>) | undefined
  /** Text to search for. */
  readonly _q?: string | undefined
}

export type PaginationKey = 'page' | 'pageSize' | 'start' | 'limit' | 'withCount'

/** A response with one entry. */
export interface EntryAnswer<E> {
  data: E
  meta: Record<string, never>
}

/** A response with a page of entries. */
export interface ListAnswer<E, N> {
  data: E[]
  meta: { pagination: PageMeta<N> }
}

type PageMeta<N> = N extends { start: unknown } | { limit: unknown }
  ? { start: number; limit: number } & Totals<N, { total: number }>
  : { page: number; pageSize: number } & Totals<N, { pageCount: number; total: number }>

type Totals<N, M> = N extends { withCount: infer C }
  ? [C] extends [false]
    ? unknown
    : [C] extends [true | undefined]
      ? M
      : Partial<M>
  : M

/**
 * The parameters that determine the type of a response. Without `populate`, a GET uses the service's default
 * `populate`.
 */
export type InferredQuery<T extends ContentType, F, P, S, L, D, B> = [D] extends [number]
  ? { levels: number; status: S }
  : {
      fields: F
      populate: [P] extends [undefined] ? T['defaultPopulate'] : P
      status: S
      // With `fallback`, the returned entry may have any locale.
      locale: [B] extends [false | undefined] ? L : undefined
    }

export type InferredWriteQuery<F, P, S, L> = { fields: F; populate: P; status: S; locale: L }

export type NoneOr<V> = V | undefined

/** The locale of a read of one entry. A list also accepts several. */
type OneLocale = string

/**
 * Reads the entry with a documentId, or the entry of a single type. `Id` is `[documentId]` for a collection type, and
 * empty for a single type.
 */
interface Reads<T extends ContentType, Id extends readonly string[]> {
  <
    const F extends NoneOr<Fields<T>> = undefined,
    const P extends NoneOr<Populate<T> | Deep> = undefined,
    const S extends Status = 'published',
    const L extends NoneOr<OneLocale> = undefined,
    const D extends NoneOr<number> = undefined,
    const B extends NoneOr<boolean> = undefined,
  >(
    ...given: [...id: Id, query?: EntryQuery<T, F, P, S, L, D, B>, options?: RequestOptions]
  ): Promise<EntryAnswer<Result<T, InferredQuery<T, F, P, S, L, D, B>>>>
}

/**
 * Writes the body `B`, whose members are all optional in drafts. `Id` is `[documentId]` for updates in a collection
 * type, otherwise empty.
 */
interface Writes<T extends ContentType, Id extends readonly string[], B> {
  <
    const F extends NoneOr<Fields<T>> = undefined,
    const P extends NoneOr<Populate<T>> = undefined,
    const S extends Status = 'published',
    const L extends NoneOr<OneLocale> = undefined,
  >(
    ...given: [
      ...id: Id,
      data: S extends 'draft' ? DraftOf<T, B> : B,
      query?: WriteQuery<T, F, P, S, L>,
      options?: RequestOptions,
    ]
  ): Promise<EntryAnswer<Result<T, InferredWriteQuery<F, P, S, L>>>>
}

type Deletes<Id extends readonly string[]> = (
  ...given: [...id: Id, query?: { readonly locale?: string | undefined }, options?: RequestOptions]
) => Promise<void>

/** Endpoints of a collection type, named as in `@strapi/client`. */
export interface CollectionMethods<T extends ContentType> {
  find<
    const F extends NoneOr<Fields<T>> = undefined,
    const P extends NoneOr<Populate<T> | Deep> = undefined,
    const S extends Status = 'published',
    const L extends NoneOr<string | readonly string[]> = undefined,
    const D extends NoneOr<number> = undefined,
    const B extends NoneOr<boolean> = undefined,
    const N extends NoneOr<Pagination> = undefined,
  >(
    query?: ListQuery<T, F, P, S, L, D, B, N>,
    options?: RequestOptions,
  ): Promise<ListAnswer<Result<T, InferredQuery<T, F, P, S, L, D, B>>, N>>
  findOne: Reads<T, [documentId: string]>
  create: Writes<T, [], T['create']>
  /** Members that the body does not contain stay unchanged. A member that is null is cleared. */
  update: Writes<T, [documentId: string], T['update']>
  delete: Deletes<[documentId: string]>
}

export type DraftOf<T extends ContentType, D> = T['draftAndPublish'] extends true ? T['draft'] : D

/** Endpoints of a single type. */
export interface SingleMethods<T extends ContentType> {
  find: Reads<T, []>
  /** Updates the document, or creates it. */
  update: Writes<T, [], T['update']>
  delete: Deletes<[]>
}

interface Actions<T extends ContentType, Id extends readonly string[]> {
  /** Returns the published version. */
  publish: Action<T, Id, 'published'>
  /** Removes the published version and returns the draft. */
  unpublish: Action<T, Id, 'draft'>
  /** Resets the draft to the published version, and returns it. */
  discardDraft: Action<T, Id, 'draft'>
}

export type CollectionActions<T extends ContentType> = Actions<T, [documentId: string]>
export type SingleActions<T extends ContentType> = Actions<T, []>

interface Action<T extends ContentType, Id extends readonly string[], S extends Status> {
  <
    const F extends NoneOr<Fields<T>> = undefined,
    const P extends NoneOr<Populate<T>> = undefined,
    const L extends NoneOr<OneLocale> = undefined,
  >(
    ...given: [...id: Id, query?: ActionQuery<T, F, P, L>, options?: RequestOptions]
  ): Promise<EntryAnswer<Result<T, InferredWriteQuery<F, P, S, L>>>>
}

type ActionQuery<T extends ContentType, F, P, L> = Omit<WriteQuery<T, F, P, never, L>, 'status'>
