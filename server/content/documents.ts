import type { ReadAnswer, ReadClient } from '../../engine/read.js'
import type { ContentType, Status } from '../../engine/schema/content-type.js'
import type { Grant } from '../../engine/schema/grant.js'
import type { DocumentAction, WriteScope, Written } from '../../engine/write.js'
import type { Timeline } from '../../engine/timeline.js'
import type { WriteTime } from '../../engine/write-time.js'

type Ignored = (name: string) => void

/** Response to a read. */
export type Answer = ReadAnswer &
  Readonly<{
    /** Absent if public caches must not store the response. */
    cachePolicy?: CachePolicy
  }>

/** `keys`: value of the key header. Shared caches purge the response by these keys. */
export type CachePolicy = Readonly<{ keys?: string }>

/** Options of a read. */
export type ReadRequest = Readonly<{
  /** As the client sent it, without `?`. */
  search: string
  grant: Grant
  /** `content`: `{ data, meta }`. `bare`: only the entry or the list, as for `/api/users` and `/api/upload`. */
  envelope: 'content' | 'bare'
  /** Members with fixed values, to add at the end of each entry. */
  constants?: Readonly<Record<string, boolean>>
  /** Format of entries (docs/internals/decisions.md, "The older format"). Default `flat`. */
  format?: 'flat' | 'v4'
  /** Whether unknown parameters are rejected (default) or ignored (`/api/users*`, `/api/upload*`). */
  parameters?: 'strict' | 'lenient'
  /** Whether a query without `populate` uses the type's default (`api.rest.defaultPopulate`). */
  defaultPopulate?: boolean
  /** Called with ignored keys and parameters (`HttpRequest.ignored`). */
  ignored?: Ignored | undefined
  /** Version to show if the query string does not select one. */
  status?: Status
  signal?: AbortSignal
  /** Whether the request has no credentials, so that the response may be public (`http.cache`). */
  isForAnybody?: boolean
  /**
   * Whether the same request is unlikely to come again, as for the pages of a table. Then neither the response nor the
   * parsed query is cached.
   */
  isOnce?: boolean
  /** Absent if the service itself reads, for example to read back a write. */
  client?: ReadClient
  timeline?: Timeline | undefined
}>

/** Identifies an entry: by documentId, by record id (as in `/api/users/:id`), or as the entry of a single type. */
export type EntryKey =
  Readonly<{ documentId: string }> | Readonly<{ id: number }> | Readonly<{ single: true }>

export type WriteRequest = Readonly<{
  grant: Grant
  /** documentId of the admin who writes; null if no admin does. */
  actor: string | null
  /** Default `published`. */
  status?: Status
  /** As the client sent it; undefined: the default locale. `*` is allowed only when deleting. */
  locale?: string | undefined
  /** Members of the body next to `data`, such as `status` and `locale`. */
  bodyParameters?: WriteScope['bodyParameters']
  /**
   * Revision in `If-Match` (docs/internals/decisions.md, "Conditional writes"). Undefined: write whatever the revision
   * is.
   */
  ifRevision?: number | undefined
  /** Absent if the service itself writes. */
  client?: ReadClient | undefined
  /** Called with ignored keys of the body. */
  ignored?: Ignored | undefined
  /** Time limit of the write. Also records whether the write has begun to change anything. */
  time?: WriteTime | undefined
  timeline?: Timeline | undefined
  /** Whether to only check the write. Supported by `create`, `createGiven` and `update`. */
  dryRun?: boolean | undefined
}>

/** The `Idempotency-Key`, and the `callerKey` of its sender. */
export type IdempotencyKey = Readonly<{ caller: string; key: string }>

/** `replayed`: an earlier request created the document. */
export type CreatedOnce = Readonly<{ documentId: string; replayed: boolean }>

/** Properties of a bulk request that a repetition must share. */
export type BulkClaim = Readonly<{
  /** All requests with the same key must have the same fingerprint. */
  fingerprint: unknown
  operations: number
  creates: number
}>

/** Outcome of one bulk operation. `error`: JSON of the response, if the operation was rejected. */
export type Outcome = Readonly<{ status: number; error?: string }>

/** The result of binding an `Idempotency-Key` to a bulk request. */
export type ClaimedBulk = Readonly<{
  /** Ids for the documents that the request creates, in order. A repeated request gets the same ids. */
  documentIds: readonly string[]
  /** Outcomes of operations that earlier requests have done or rejected, by index. They must not run again. */
  known: ReadonlyMap<number, Outcome>
  /** Whether an earlier request had the same key. */
  replayed: boolean
  /**
   * Records the outcomes of operations that must not run again, and releases the key. Call it when all operations have
   * ended.
   */
  release: (outcomes: ReadonlyMap<number, Outcome>) => Promise<void>
}>

/** Properties of a written document. */
export type Created = Pick<Written, 'documentId' | 'stored'>

/** Reads the document that a write's response shows. The query string was checked before the write. */
export type PreparedAnswer = Readonly<{
  status: Status
  locale: string | undefined
  /**
   * `written`: the stored version, if already known. Throws `not-found` if the document has been deleted since the
   * write.
   */
  of: (key: EntryKey, written?: Uint8Array) => Promise<ReadAnswer>
}>

/**
 * Reads and writes documents with the current registry, locales and settings. Methods throw `ApiError` for client
 * errors, including `not-found`.
 */
export type Documents = Readonly<{
  find: (type: ContentType, request: ReadRequest) => Promise<Answer>
  /** Groups the entries that `find` would list (docs/internals/decisions.md, "Aggregation"). */
  aggregate: (type: ContentType, request: ReadRequest) => Promise<Answer>
  findOne: (type: ContentType, key: EntryKey, request: ReadRequest) => Promise<Answer>
  /** Checks the query string of a write, before the write. Throws a 400 if it is invalid. */
  prepareAnswer: (type: ContentType, request: ReadRequest) => PreparedAnswer
  /** Validates `data`. */
  create: (type: ContentType, data: unknown, request: WriteRequest) => Promise<Written>
  /**
   * Creates a document at most once per key (docs/internals/decisions.md, "Creates that may be repeated"). A repeated
   * request returns the document that the first request created. Throws ApiError 422 if the key was used for a
   * different request.
   */
  createOnce: (
    type: ContentType,
    data: unknown,
    request: WriteRequest,
    key: IdempotencyKey,
  ) => Promise<CreatedOnce>
  /**
   * Binds a key to one bulk request at a time. Throws `ApiError` 422 if the key was used with a different request, and
   * 409 if an earlier request with the key is still in flight.
   */
  claimBulk: (key: IdempotencyKey, request: BulkClaim) => Promise<ClaimedBulk>
  /** Creates a document with an id from `claimBulk`. A repeated request creates only what the document still lacks. */
  createGiven: (
    type: ContentType,
    data: unknown,
    request: WriteRequest,
    given: Readonly<{ documentId: string; isRepeated: boolean }>,
  ) => Promise<Created>
  update: (
    type: ContentType,
    documentId: string,
    data: unknown,
    request: WriteRequest,
  ) => Promise<Written>
  /** Updates the document of a single type, or creates it if it does not exist. */
  saveSingle: (type: ContentType, data: unknown, request: WriteRequest) => Promise<Written>
  /** Succeeds even if the document does not exist (docs/internals/decisions.md, "Status codes"). */
  delete: (type: ContentType, documentId: string, request: WriteRequest) => Promise<void>
  deleteSingle: (type: ContentType, request: WriteRequest) => Promise<void>
  /**
   * Publishes or unpublishes a document, or discards its draft (docs/internals/decisions.md, "Publication by its own
   * endpoints"). `documentId` is null for a single type.
   */
  act: (
    type: ContentType,
    documentId: string | null,
    action: DocumentAction,
    request: WriteRequest,
  ) => Promise<Written>
}>
