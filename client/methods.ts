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

/** How a request is sent, beside what it asks. */
export interface RequestOptions {
  /** Ends the request; it rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** In the place of the client's `timeoutMs`. */
  timeoutMs?: number | undefined
  /** Beside those of the client: `If-Match`, `Idempotency-Key`. */
  headers?: Readonly<Record<string, string>> | undefined
}

/** Names that an inferred object has beside those that there are. */
export type Only<A, K extends PropertyKey> = {
  readonly [N in Exclude<keyof A, K>]: NoSuch<N>
}

/** What a write is sent with; what it answers is asked for as that of a read. */
export interface WriteQuery<T extends ContentType, F, P, S, L> {
  /** `'title'`, `['title', 'slug']`; default all that is shown unasked. */
  readonly fields?: F | undefined
  /** `'*'`, `['author', 'author.avatar']`, `{ author: { fields: ['name'] } }`. */
  readonly populate?: P & CheckPopulate<T, P>
  /** Default: published. */
  readonly status?: S | undefined
  readonly locale?: L | undefined
}

/** What one entry is asked for with. */
export interface EntryQuery<T extends ContentType, F, P, S, L, D, B> extends WriteQuery<
  T,
  F,
  P,
  S,
  L
> {
  /** Whether what has no version in `locale` is shown in the first that this one falls back to. */
  readonly fallback?: B | undefined
  readonly filters?: T['filters'] | undefined
  readonly publicationFilter?: PublicationFilter | undefined
  readonly hasPublishedVersion?: boolean | undefined
  /** Everything that can be populated, so many levels deep, the entry itself among them; not with `populate`. */
  readonly pLevel?: D | undefined
  /** Names that this leaves out. */
  readonly pIgnore?: string | readonly string[] | undefined
}

/** What a list is asked for with. */
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

/** An answer with one entry. */
export interface EntryAnswer<E> {
  data: E
  meta: Record<string, never>
}

/** An answer with a page of entries. */
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

/** What a query is inferred to ask; where it populates nothing, GETs show what the service populates then. */
export type Ask<T extends ContentType, F, P, S, L, D, B> = [D] extends [number]
  ? { levels: number; status: S }
  : {
      fields: F
      populate: [P] extends [undefined] ? T['defaultPopulate'] : P
      status: S
      // An entry that falls back may have any locale.
      locale: [B] extends [false | undefined] ? L : undefined
    }

export type AskOfWrite<F, P, S, L> = { fields: F; populate: P; status: S; locale: L }

export type NoneOr<V> = V | undefined

/** Which documents, by their one locale. */
type OneLocale = string

/** How one entry is asked for; `Id`: what names it, of a collection its documentId. */
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
  ): Promise<EntryAnswer<Result<T, Ask<T, F, P, S, L, D, B>>>>
}

/** How one entry is written; `B`: what a body may hold. Of a draft nothing is required. */
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
  ): Promise<EntryAnswer<Result<T, AskOfWrite<F, P, S, L>>>>
}

type Deletes<Id extends readonly string[]> = (
  ...given: [...id: Id, query?: { readonly locale?: string | undefined }, options?: RequestOptions]
) => Promise<void>

/** The endpoints of a collection type, by the names that `@strapi/client` gives them. */
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
  ): Promise<ListAnswer<Result<T, Ask<T, F, P, S, L, D, B>>, N>>
  findOne: Reads<T, [documentId: string]>
  create: Writes<T, [], T['create']>
  /** What is absent stays what it was; null clears. */
  update: Writes<T, [documentId: string], T['update']>
  delete: Deletes<[documentId: string]>
}

export type DraftOf<T extends ContentType, D> = T['draftAndPublish'] extends true ? T['draft'] : D

/** The endpoints of a single type. */
export interface SingleMethods<T extends ContentType> {
  find: Reads<T, []>
  /** Creates the document where there is none. */
  update: Writes<T, [], T['update']>
  delete: Deletes<[]>
}

/** What becomes of a document's draft. */
interface Actions<T extends ContentType, Id extends readonly string[]> {
  /** Shows the draft to the public; answers what is published. */
  publish: Action<T, Id, 'published'>
  /** Answers the draft. */
  unpublish: Action<T, Id, 'draft'>
  /** Makes the draft what is published; answers it. */
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
  ): Promise<EntryAnswer<Result<T, AskOfWrite<F, P, S, L>>>>
}

type ActionQuery<T extends ContentType, F, P, L> = Omit<WriteQuery<T, F, P, never, L>, 'status'>
