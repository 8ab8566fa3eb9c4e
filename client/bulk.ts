import type { ContentType } from './content-type.js'
import type { InferredWriteQuery, DraftOf, NoneOr, RequestOptions, WriteQuery } from './methods.js'
import type { Fields, Populate, Status } from './query.js'
import type { Result } from './result.js'

type DocumentAction = 'publish' | 'unpublish' | 'discard-draft'

type OperationName<T extends ContentType> =
  'create' | 'update' | 'delete' | (T['draftAndPublish'] extends true ? DocumentAction : never)

/**
 * A write in a bulk request. `W` is inferred from the literals of the write's `op` and `status`. `S` is the status of
 * writes that do not specify one.
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
  /** The same value as in the header `If-Match` of a single request. */
  readonly ifMatch?: string | undefined
}

/** For deletes and for actions such as `publish`, which have no `status`. */
interface NoStatus {
  readonly status?: never
}

/** The body of a write. In drafts, no member is required. */
type BodyOf<T extends ContentType, D, S> = S extends 'draft' ? DraftOf<T, D> : D

/** `fields` and `populate` select what the responses contain, as in a read. */
interface BulkQuery<T extends ContentType, F, P, S> extends WriteQuery<T, F, P, S, string> {
  /** Status of operations that do not specify one. Default: `'published'`. */
  readonly status?: S | undefined
  /** If the same key is sent again within a day, nothing is written a second time. */
  readonly idempotencyKey?: string | undefined
}

/** A rejected operation, with the error that a single request would return. */
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

/** A successful operation with the status code `N`. */
interface Done<N extends number, E> {
  status: N
  data: E
  meta: Record<string, never>
  error?: never
}

/** A successful delete, which returns no data. */
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

/** The results in the order of the operations. */
export interface BulkAnswer<A> {
  data: A
  meta: Record<string, never>
}

/** Bulk writes (docs/bulk.md). */
export interface Bulk<T extends ContentType> {
  /** Performs up to 1,000 writes. A rejected write does not stop the others, so check each result for an `error`. */
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
