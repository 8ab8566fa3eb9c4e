import type { ContentType } from './content-type.js'
import type { InferredWriteQuery, DraftOf, NoneOr, RequestOptions, WriteQuery } from './methods.js'
import type { Fields, Populate, Status } from './query.js'
import type { Result } from './result.js'

type DocumentAction = 'publish' | 'unpublish' | 'discard-draft'

type OperationName<T extends ContentType> =
  'create' | 'update' | 'delete' | (T['draftAndPublish'] extends true ? DocumentAction : never)

/**
 * A write in a bulk. `W`: its literals, by which it is identified: its `op`, and its status if given. `S`: the status
 * of operations without one.
 */
export type Operation<
  T extends ContentType,
  W = OperationName<T> | Status,
  S extends Status = 'published',
> = {
  readonly op: W & OperationName<T>
  readonly status?: W & Status
  readonly locale?: string | undefined
} & OperationBody<T, W & OperationName<T>, StatusOf<W, S>>

type StatusOf<W, S> = [W & Status] extends [never] ? S : W & Status

type OperationBody<T extends ContentType, Op, S> = Op extends 'create'
  ? { readonly data: BodyOf<T, T['create'], S> }
  : OfDocument & (Op extends 'update' ? { readonly data: BodyOf<T, T['update'], S> } : NoStatus)

interface OfDocument {
  readonly documentId: string
  /** Same as the header `If-Match` of a single request. */
  readonly ifMatch?: string | undefined
}

/** Actions have no status. */
interface NoStatus {
  readonly status?: never
}

/** Drafts have no required members. */
type BodyOf<T extends ContentType, D, S> = S extends 'draft' ? DraftOf<T, D> : D

/** Query of a bulk. What a response shows is selected as for a read. */
interface BulkQuery<T extends ContentType, F, P, S> extends WriteQuery<T, F, P, S, string> {
  /** Status of operations without one. Default: `'published'`. */
  readonly status?: S | undefined
  /** Prevents a repeated request within a day from writing anything twice. */
  readonly idempotencyKey?: string | undefined
}

/** A rejected operation, with the error of its own endpoint. */
export interface Refused {
  status: number
  data: null
  error: {
    status: number
    name: string
    message: string
    details: unknown
  }
}

/** A successful operation; `N`: its status code. */
interface Done<N extends number, E> {
  status: N
  data: E
  meta: Record<string, never>
  error?: never
}

/** A successful delete has no data. */
interface Deleted {
  status: 204
  data?: never
  error?: never
}

type Outcome<T extends ContentType, W, F, P, S> =
  Refused | DoneOf<T, W & OperationName<T>, F, P, StatusOf<W, S>>

type DoneOf<T extends ContentType, Op, F, P, S> = Op extends 'delete'
  ? Deleted
  : Op extends 'create'
    ? Done<201, Shown<T, F, P, S>>
    : Op extends 'update'
      ? Done<200, Shown<T, F, P, S>>
      : Done<200, Shown<T, F, P, Op extends 'publish' ? 'published' : 'draft'>>

type Shown<T extends ContentType, F, P, S> = Result<
  T,
  InferredWriteQuery<F, P, Extract<S, Status>, undefined>
>

/** The results of all operations, in order. */
export interface BulkAnswer<A> {
  data: A
  meta: Record<string, never>
}

/** Bulk writes (docs/bulk.md). */
export interface Bulk<T extends ContentType> {
  /**
   * Performs up to 1,000 writes, each as its own endpoint would. A rejected write does not stop the others, so check
   * each result: it was rejected if it has an `error`.
   */
  bulk<
    const W extends readonly unknown[],
    const F extends NoneOr<Fields<T>> = undefined,
    const P extends NoneOr<Populate<T>> = undefined,
    const S extends Status = 'published',
  >(
    operations: { readonly [I in keyof W]: Operation<T, W[I], S> },
    query?: BulkQuery<T, F, P, S>,
    options?: RequestOptions,
  ): Promise<BulkAnswer<{ -readonly [I in keyof W]: Outcome<T, W[I], F, P, S> }>>
}
