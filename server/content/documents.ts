import type { ReadAnswer, ReadAsker } from '../../engine/read.js'
import type { ContentType, Status } from '../../engine/schema/content-type.js'
import type { Grant } from '../../engine/schema/grant.js'
import type { DocumentAction, WriteScope, Written } from '../../engine/write.js'
import type { Timeline } from '../../engine/timeline.js'
import type { WriteTime } from '../../engine/write/write-time.js'

/** Is told the name of something that was passed over. */
type Ignored = (name: string) => void

/** What is answered to a read. */
export type Answer = ReadAnswer &
  Readonly<{
    /** How anybody may keep it; absent: nobody may. */
    kept?: KeptBy
  }>

/** `keys`: by which it is forgotten, as they stand in their header; absent: it has none. */
export type KeptBy = Readonly<{ keys?: string }>

/** How a read is asked for. */
export type ReadRequest = Readonly<{
  /** The query string as the client sent it, without `?`. */
  search: string
  grant: Grant
  /** `content`: `{ data, meta }`. `bare`: the entry or the list alone, as `/api/users` and `/api/upload` answer. */
  envelope: 'content' | 'bare'
  /** Shown of each entry of the answer, behind its members. */
  constants?: Readonly<Record<string, boolean>>
  /** docs/decisions.md, "The older format". Default `flat`. */
  format?: 'flat' | 'v4'
  /** Parameters that are not understood are refused (`strict`, the default) or passed over (`/api/users*`, `/api/upload*`). */
  parameters?: 'strict' | 'lenient'
  /** Whether what the query does not name is populated as the content-type says (`api.rest.defaultPopulate`). */
  defaultPopulate?: boolean
  /** Told the names of what was not understood and passed over (`HttpRequest.ignored`). */
  ignored?: Ignored | undefined
  /** Which version is shown, where it is not the query string that says so. */
  status?: Status
  signal?: AbortSignal
  /** Whether it came without credentials, so that anybody may keep the answer (`http.cache`). */
  isForAnybody?: boolean
  /**
   * Whether nobody asks for just this again, as for a page of a table: what is kept of answers and queries makes no room
   * for it.
   */
  isOnce?: boolean
  /** Default: the service itself, as for what a write answers. */
  asker?: ReadAsker
  /** Told what took how long; default: nothing is measured. */
  timeline?: Timeline | undefined
}>

/** Which entry: by documentId as in the content API, by record id as in `/api/users/:id`, or the one of a single type. */
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
  /** `status` and `locale` as they stand in the body beside its `data`. */
  beside?: WriteScope['beside']
  /** The revision of `If-Match` (docs/decisions.md, "Conditional writes"); undefined = unconditional. */
  ifRevision?: number | undefined
  /** Who writes; default: the service itself. */
  asker?: ReadAsker | undefined
  /** Told the names of what of the body was not understood and passed over. */
  ignored?: Ignored | undefined
  /** How long it may take; it is told when the write begins. */
  time?: WriteTime | undefined
  /** Told what took how long; default: nothing is measured. */
  timeline?: Timeline | undefined
  /** Of `create`, `createGiven` and `update`: whether it is only looked at (`WriteContext.dryRun`). */
  dryRun?: boolean | undefined
}>

/** `Idempotency-Key` as it was sent, and who sent it (`callerKey`). */
export type IdempotencyKey = Readonly<{ caller: string; key: string }>

/** `replayed`: an earlier request created it. */
export type CreatedOnce = Readonly<{ documentId: string; replayed: boolean }>

/** A request of many writes, as far as it matters for whoever repeats it. */
export type BulkClaim = Readonly<{
  /** What two requests with one key must have in common. */
  asked: unknown
  operations: number
  /** How many of the operations create a document. */
  creates: number
}>

/** What became of one of many writes: it was done, or refused with `error`, the JSON of its answer. */
export type Outcome = Readonly<{ status: number; error?: string }>

/** A key that is bound to a request of many. */
export type ClaimedBulk = Readonly<{
  /** The documents that its creates make, in their order, whoever repeats the request. */
  documentIds: readonly string[]
  /** What is not done again, by its place among the operations. */
  known: ReadonlyMap<number, Outcome>
  /** Whether an earlier request had the same key. */
  replayed: boolean
  /** Lets the next request with the key go on. Called when all has ended, with what need not be done again. */
  release: (outcomes: ReadonlyMap<number, Outcome>) => Promise<void>
}>

/** What is known of a document that was written. */
export type Created = Pick<Written, 'documentId' | 'stored'>

/** What a write is to show of the document it wrote: its query string has been checked before anything is written. */
export type PreparedAnswer = Readonly<{
  status: Status
  locale: string | undefined
  /**
   * Reads what was written, from `written` where it is there; `not-found` if somebody else deleted it since.
   * @param written the version as it was stored (`Written`)
   */
  of: (key: EntryKey, written?: Uint8Array) => Promise<ReadAnswer>
}>

/**
 * Reading and writing of any type's documents, with the live registry, locales and settings filled in.
 * What the content endpoints and the features around them (users, files, locales) share.
 * Every method throws `ApiError` for what the client is to be told, `not-found` included.
 */
export type Documents = Readonly<{
  find: (type: ContentType, request: ReadRequest) => Promise<Answer>
  /** Groups of what `find` lists (docs/decisions.md, "Aggregation"). */
  aggregate: (type: ContentType, request: ReadRequest) => Promise<Answer>
  findOne: (type: ContentType, key: EntryKey, request: ReadRequest) => Promise<Answer>
  /** Checks the query string of a write. Throws a 400 for what cannot be answered. */
  prepareAnswer: (type: ContentType, request: ReadRequest) => PreparedAnswer
  /** `data` is untrusted: it is validated against the type. */
  create: (type: ContentType, data: unknown, request: WriteRequest) => Promise<Written>
  /**
   * The same, once for every key (docs/decisions.md, "Creates that may be repeated"): a repeated request
   * finds what the first one created.
   * @throws ApiError 422 where the key was used with another request
   */
  createOnce: (
    type: ContentType,
    data: unknown,
    request: WriteRequest,
    key: IdempotencyKey,
  ) => Promise<CreatedOnce>
  /**
   * Binds a key to a request of many writes, one at a time. Throws `ApiError` 422 as `createOnce`, and 409 where the
   * one before is still being done.
   */
  claimBulk: (key: IdempotencyKey, request: BulkClaim) => Promise<ClaimedBulk>
  /** Creates the document of an id that `claimBulk` gave; repeated, what is missing of it. */
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
  /** PUT of a single type: creates it where it does not exist. */
  saveSingle: (type: ContentType, data: unknown, request: WriteRequest) => Promise<Written>
  /** Also succeeds where there is nothing to delete (docs/decisions.md, "Status codes"). */
  delete: (type: ContentType, documentId: string, request: WriteRequest) => Promise<void>
  deleteSingle: (type: ContentType, request: WriteRequest) => Promise<void>
  /**
   * Publish, unpublish, discard the draft (docs/decisions.md, "Publication by its own endpoints");
   * `documentId` null = the document of a single type.
   */
  act: (
    type: ContentType,
    documentId: string | null,
    action: DocumentAction,
    request: WriteRequest,
  ) => Promise<Written>
}>
