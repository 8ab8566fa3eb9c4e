import type { ReadAnswer, ReadClient } from '../../engine/read.js'
import type { ContentType, Status } from '../../engine/schema/content-type.js'
import type { Grant } from '../../engine/schema/grant.js'
import type { DocumentAction, WriteScope, Written } from '../../engine/write.js'
import type { Timeline } from '../../engine/timeline.js'
import type { WriteTime } from '../../engine/write/write-time.js'

/** Called with the name of an ignored key or parameter. */
type Ignored = (name: string) => void

/** Response to a read. */
export type Answer = ReadAnswer &
  Readonly<{
    /** Public cache policy; absent = not cacheable. */
    cachePolicy?: CachePolicy
  }>

/**
 * Public cache policy of a response. `keys` is the value of its key header, by which the response can be purged; absent
 * = no keys.
 */
export type CachePolicy = Readonly<{ keys?: string }>

/** Options of a read. */
export type ReadRequest = Readonly<{
  /** The query string as the client sent it, without `?`. */
  search: string
  grant: Grant
  /**
   * `content`: `{ data, meta }`. `bare`: only the entry or the list, as in responses of `/api/users` and `/api/upload`.
   */
  envelope: 'content' | 'bare'
  /** Additional members for each entry of the response. They come after the entry's own members. */
  constants?: Readonly<Record<string, boolean>>
  /** The format of entries (docs/internals/decisions.md, "The older format"). Default `flat`. */
  format?: 'flat' | 'v4'
  /**
   * Whether unknown parameters are rejected (`strict`, the default) or ignored (`lenient`: `/api/users*`,
   * `/api/upload*`).
   */
  parameters?: 'strict' | 'lenient'
  /** Whether a query without `populate` uses the default of its content-type (`api.rest.defaultPopulate`). */
  defaultPopulate?: boolean
  /** Called with the names of ignored keys and parameters (`HttpRequest.ignored`). */
  ignored?: Ignored | undefined
  /** The version to show, if the query string does not choose it. */
  status?: Status
  signal?: AbortSignal
  /** Whether the request has no credentials, so that the response may be cached publicly (`http.cache`). */
  isForAnybody?: boolean
  /**
   * Whether the same read is unlikely to be repeated, such as reading a page of a table. Then neither the response nor
   * the query is cached.
   */
  isOnce?: boolean
  /** The client; default: the service itself, for example when it reads back a write. */
  client?: ReadClient
  /** Records durations; default: nothing is measured. */
  timeline?: Timeline | undefined
}>

/**
 * Identifies an entry: by its documentId as in the content API, by its record id as in `/api/users/:id`, or as the
 * entry of a single type.
 */
export type EntryKey =
  Readonly<{ documentId: string }> | Readonly<{ id: number }> | Readonly<{ single: true }>

export type WriteRequest = Readonly<{
  grant: Grant
  /** documentId of the admin user who writes, or null. */
  actor: string | null
  /** Default `published`. */
  status?: Status
  /** The locale as the client sent it; undefined = the default locale. `*` is allowed only when deleting. */
  locale?: string | undefined
  /** The members of the body next to `data`, among them `status` and `locale`. */
  bodyParameters?: WriteScope['bodyParameters']
  /**
   * The revision in `If-Match` (docs/internals/decisions.md, "Conditional writes"); undefined = write unconditionally.
   */
  ifRevision?: number | undefined
  /** The client; default: the service itself. */
  client?: ReadClient | undefined
  /** Called with the names of ignored keys of the body. */
  ignored?: Ignored | undefined
  /** The time limit of the write, which also tracks whether changes have begun. */
  time?: WriteTime | undefined
  /** Records durations; default: nothing is measured. */
  timeline?: Timeline | undefined
  /**
   * Whether to check the write without doing it (`WriteContext.dryRun`). Only for `create`, `createGiven` and `update`.
   */
  dryRun?: boolean | undefined
}>

/** The `Idempotency-Key` as the client sent it, and the caller who sent it (`callerKey`). */
export type IdempotencyKey = Readonly<{ caller: string; key: string }>

/** Result of `createOnce`. If `replayed` is true, an earlier request created the document. */
export type CreatedOnce = Readonly<{ documentId: string; replayed: boolean }>

/** Properties of a bulk request that must be equal when it is repeated. */
export type BulkClaim = Readonly<{
  /** Identifies the content of the request. All requests with the same key must have the same fingerprint. */
  fingerprint: unknown
  operations: number
  /** Number of operations that create a document. */
  creates: number
}>

/**
 * Outcome of one operation of a bulk request. If the operation was rejected, `error` is the JSON of its response.
 * Without `error`, the operation was done.
 */
export type Outcome = Readonly<{ status: number; error?: string }>

/** An `Idempotency-Key` that is bound to a bulk request. */
export type ClaimedBulk = Readonly<{
  /** The ids for the documents that the request creates, in order. A repeated request gets the same ids. */
  documentIds: readonly string[]
  /** Outcomes of operations that must not run again, by index of the operation. */
  known: ReadonlyMap<number, Outcome>
  /** Whether an earlier request had the same key. */
  replayed: boolean
  /**
   * Releases the key for a later request. Call it when all operations have ended, with the outcomes of those that must
   * not run again.
   */
  release: (outcomes: ReadonlyMap<number, Outcome>) => Promise<void>
}>

/** Properties of a written document. */
export type Created = Pick<Written, 'documentId' | 'stored'>

/** Produces the response that shows the document of a write. The query string has been checked before the write. */
export type PreparedAnswer = Readonly<{
  status: Status
  locale: string | undefined
  /**
   * Returns the response that shows the written document. Throws `not-found` if it was deleted in the meantime.
   * @param written the version as it was stored (`Written`); default: read it from the database
   */
  of: (key: EntryKey, written?: Uint8Array) => Promise<ReadAnswer>
}>

/**
 * Reads and writes documents of any type, with the current registry, locales and settings. Used by the content
 * endpoints and by other features (users, files, locales). Every method throws `ApiError` for client errors, including
 * `not-found`.
 */
export type Documents = Readonly<{
  find: (type: ContentType, request: ReadRequest) => Promise<Answer>
  /** Groups the entries that `find` would list (docs/internals/decisions.md, "Aggregation"). */
  aggregate: (type: ContentType, request: ReadRequest) => Promise<Answer>
  findOne: (type: ContentType, key: EntryKey, request: ReadRequest) => Promise<Answer>
  /**
   * Checks the query string of a write, and returns how to show the written document. Throws a 400 if the query is
   * invalid.
   */
  prepareAnswer: (type: ContentType, request: ReadRequest) => PreparedAnswer
  /** Creates a document. `data` is not trusted: it is validated against the type. */
  create: (type: ContentType, data: unknown, request: WriteRequest) => Promise<Written>
  /**
   * Creates a document at most once per key (docs/internals/decisions.md, "Creates that may be repeated"). A repeated
   * request returns the document that the first request created.
   * @throws ApiError 422 if the key was used with another request
   */
  createOnce: (
    type: ContentType,
    data: unknown,
    request: WriteRequest,
    key: IdempotencyKey,
  ) => Promise<CreatedOnce>
  /**
   * Binds a key to a bulk request. Only one request at a time can have the key. Throws `ApiError` 422 if the key was
   * used with another request, and 409 if the previous request is still in flight.
   */
  claimBulk: (key: IdempotencyKey, request: BulkClaim) => Promise<ClaimedBulk>
  /**
   * Creates a document with an id from `claimBulk`. If the request is a repetition, creates only the missing parts of
   * the document.
   */
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
  /** Writes the document of a single type (PUT). Creates the document if it does not exist. */
  saveSingle: (type: ContentType, data: unknown, request: WriteRequest) => Promise<Written>
  /** Deletes a document. Succeeds even if the document does not exist (docs/internals/decisions.md, "Status codes"). */
  delete: (type: ContentType, documentId: string, request: WriteRequest) => Promise<void>
  deleteSingle: (type: ContentType, request: WriteRequest) => Promise<void>
  /**
   * Publishes or unpublishes a document, or discards its draft (docs/internals/decisions.md, "Publication by its own
   * endpoints"). `documentId` null = the document of a single type.
   */
  act: (
    type: ContentType,
    documentId: string | null,
    action: DocumentAction,
    request: WriteRequest,
  ) => Promise<Written>
}>
