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

/** `keys`: the keys that purge it, as in their header; absent = no keys. */
export type CachePolicy = Readonly<{ keys?: string }>

/** Options of a read. */
export type ReadRequest = Readonly<{
  /** The query string as the client sent it, without `?`. */
  search: string
  grant: Grant
  /** `content`: `{ data, meta }`. `bare`: the entry or the list alone, as `/api/users` and `/api/upload` respond. */
  envelope: 'content' | 'bare'
  /** Further members of each entry of the response, after its own. */
  constants?: Readonly<Record<string, boolean>>
  /** docs/decisions.md, "The older format". Default `flat`. */
  format?: 'flat' | 'v4'
  /** Unknown parameters are rejected (`strict`, the default) or ignored (`/api/users*`, `/api/upload*`). */
  parameters?: 'strict' | 'lenient'
  /** Whether a query without `populate` populates as configured for the content-type (`api.rest.defaultPopulate`). */
  defaultPopulate?: boolean
  /** Called with the names of ignored keys and parameters (`HttpRequest.ignored`). */
  ignored?: Ignored | undefined
  /** The version to show, if the query string does not choose it. */
  status?: Status
  signal?: AbortSignal
  /** Whether the request has no credentials, so that the response may be cached publicly (`http.cache`). */
  isForAnybody?: boolean
  /**
   * Whether the same read is unlikely to repeat, such as a page of a table. Its response and query are then not cached.
   */
  isOnce?: boolean
  /** Default: the service itself, as for reading back a write. */
  client?: ReadClient
  /** Records durations; default: nothing is measured. */
  timeline?: Timeline | undefined
}>

/** Which entry: by documentId as in the content API, by record id as in `/api/users/:id`, or that of a single type. */
export type EntryKey =
  Readonly<{ documentId: string }> | Readonly<{ id: number }> | Readonly<{ single: true }>

export type WriteRequest = Readonly<{
  grant: Grant
  /** documentId of the admin user who writes, or null. */
  actor: string | null
  /** Default `published`. */
  status?: Status
  /** As sent; undefined = the default locale. `*` for delete only. */
  locale?: string | undefined
  /** `status` and `locale` of the body, next to its `data`. */
  bodyParameters?: WriteScope['bodyParameters']
  /** The revision of `If-Match` (docs/decisions.md, "Conditional writes"); undefined = unconditional. */
  ifRevision?: number | undefined
  /** The client; default: the service itself. */
  client?: ReadClient | undefined
  /** Called with the names of ignored keys of the body. */
  ignored?: Ignored | undefined
  /** Its time limit, which is notified when the write begins. */
  time?: WriteTime | undefined
  /** Records durations; default: nothing is measured. */
  timeline?: Timeline | undefined
  /** For `create`, `createGiven` and `update`: whether it is only checked (`WriteContext.dryRun`). */
  dryRun?: boolean | undefined
}>

/** `Idempotency-Key` as it was sent, and its sender (`callerKey`). */
export type IdempotencyKey = Readonly<{ caller: string; key: string }>

/** `replayed`: an earlier request created it. */
export type CreatedOnce = Readonly<{ documentId: string; replayed: boolean }>

/** What identifies a request of many writes when it is repeated. */
export type BulkClaim = Readonly<{
  /** Must be equal in two requests with one key. */
  fingerprint: unknown
  operations: number
  /** How many of the operations create a document. */
  creates: number
}>

/** Outcome of one of many writes: it was done, or rejected with `error`, the JSON of its response. */
export type Outcome = Readonly<{ status: number; error?: string }>

/** A key that is bound to a request of many writes. */
export type ClaimedBulk = Readonly<{
  /** The ids for the documents of its creates, in order. A repeated request gets the same ids. */
  documentIds: readonly string[]
  /** Outcomes that are not redone, by index of the operation. */
  known: ReadonlyMap<number, Outcome>
  /** Whether an earlier request had the same key. */
  replayed: boolean
  /** Frees the key for the next request. Call it when all operations have ended, with the outcomes not to redo. */
  release: (outcomes: ReadonlyMap<number, Outcome>) => Promise<void>
}>

/** What is known of a written document. */
export type Created = Pick<Written, 'documentId' | 'stored'>

/** How a write shows its document. Its query string has been checked before anything is written. */
export type PreparedAnswer = Readonly<{
  status: Status
  locale: string | undefined
  /**
   * Reads what was written, from `written` if it is given. Throws `not-found` if it was deleted meanwhile.
   * @param written the version as it was stored (`Written`)
   */
  of: (key: EntryKey, written?: Uint8Array) => Promise<ReadAnswer>
}>

/**
 * Reads and writes documents of any type, with the live registry, locales and settings. The content endpoints and other
 * features (users, files, locales) share it. Every method throws `ApiError` for errors of the client, `not-found`
 * included.
 */
export type Documents = Readonly<{
  find: (type: ContentType, request: ReadRequest) => Promise<Answer>
  /** Groups of what `find` lists (docs/decisions.md, "Aggregation"). */
  aggregate: (type: ContentType, request: ReadRequest) => Promise<Answer>
  findOne: (type: ContentType, key: EntryKey, request: ReadRequest) => Promise<Answer>
  /** Checks the query string of a write. Throws a 400 if it is invalid. */
  prepareAnswer: (type: ContentType, request: ReadRequest) => PreparedAnswer
  /** `data` is untrusted and is validated against the type. */
  create: (type: ContentType, data: unknown, request: WriteRequest) => Promise<Written>
  /**
   * Creates a document once per key (docs/decisions.md, "Creates that may be repeated"). A repeated request returns the
   * document of the first one.
   * @throws ApiError 422 if the key was used with another request
   */
  createOnce: (
    type: ContentType,
    data: unknown,
    request: WriteRequest,
    key: IdempotencyKey,
  ) => Promise<CreatedOnce>
  /**
   * Binds a key to a request of many writes, one request at a time. Throws `ApiError` 422 as `createOnce`, and 409 if
   * the previous request is still in flight.
   */
  claimBulk: (key: IdempotencyKey, request: BulkClaim) => Promise<ClaimedBulk>
  /** Creates the document with an id from `claimBulk`. If repeated, creates what is missing of it. */
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
  /** PUT of a single type: creates the document if it does not exist. */
  saveSingle: (type: ContentType, data: unknown, request: WriteRequest) => Promise<Written>
  /** Also succeeds if there is nothing to delete (docs/decisions.md, "Status codes"). */
  delete: (type: ContentType, documentId: string, request: WriteRequest) => Promise<void>
  deleteSingle: (type: ContentType, request: WriteRequest) => Promise<void>
  /**
   * Publishes or unpublishes a document, or discards its draft (docs/decisions.md, "Publication by its own endpoints").
   * `documentId` null = the document of a single type.
   */
  act: (
    type: ContentType,
    documentId: string | null,
    action: DocumentAction,
    request: WriteRequest,
  ) => Promise<Written>
}>
