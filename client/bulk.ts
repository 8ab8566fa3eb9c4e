import type { ContentType } from './content-type.js'
import type { AskOfWrite, DraftOf, NoneOr, RequestOptions, WriteQuery } from './methods.js'
import type { Fields, Populate, Status } from './query.js'
import type { Result } from './result.js'

type DocumentAction = 'publish' | 'unpublish' | 'discard-draft'

type OperationName<T extends ContentType> =
  'create' | 'update' | 'delete' | (T['draftAndPublish'] extends true ? DocumentAction : never)

/**
 * One write of a bulk. `W`: its own words, by which it is told apart: its `op`, and its status where it says one.
 * `S`: the status of those that say none.
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
  /** As the header `If-Match` of a request of its own. */
  readonly ifMatch?: string | undefined
}

/** What becomes of a document has no status of its own. */
interface NoStatus {
  readonly status?: never
}

/** Of a draft nothing is required. */
type BodyOf<T extends ContentType, D, S> = S extends 'draft' ? DraftOf<T, D> : D

/** What the writes of a bulk are sent with; what each answers is asked for as that of a read. */
interface BulkQuery<T extends ContentType, F, P, S> extends WriteQuery<T, F, P, S, string> {
  /** Of operations that say none; default: published. */
  readonly status?: S | undefined
  /** With which nothing is done twice, whoever repeats the same request within a day. */
  readonly idempotencyKey?: string | undefined
}

/** An operation that was refused, as its own endpoint would have refused it. */
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

/** An operation that was done; `N`: its status code. */
interface Done<N extends number, E> {
  status: N
  data: E
  meta: Record<string, never>
  error?: never
}

/** A delete that was done shows nothing. */
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
  AskOfWrite<F, P, Extract<S, Status>, undefined>
>

/** An answer to each operation, in their order. */
export interface BulkAnswer<A> {
  data: A
  meta: Record<string, never>
}

/** Many writes in one request (docs/bulk.md). */
export interface Bulk<T extends ContentType> {
  /**
   * Does up to 1,000 writes, each as its own endpoint does it: what is refused keeps no other from being done, so each
   * answer has to be looked at. Where one has an `error` it was refused.
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
