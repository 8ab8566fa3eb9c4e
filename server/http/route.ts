import type { Timeline } from '../../engine/timeline.js'
import type { WriteTime } from '../../engine/write/write-time.js'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { fail } from '../../engine/errors.js'
import type { ReadClient } from '../../engine/read.js'
import { objectOf } from '../../engine/values/is-object.js'
import type { ItemLimit } from '../../engine/values/scan-json.js'
import type { CachePolicy } from '../content/documents.js'
import type { Caller } from '../accounts/caller.js'
import type { Documented } from './documented.js'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** JSON that a reply may contain. Members that are undefined are omitted. */
export type Json =
  string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined }

/** A request as handlers see it, independent of Express. */
export type HttpRequest = Readonly<{
  id: string
  /** The method; GET for a HEAD request too, which gets the response of a GET without the body. */
  method: Method
  /** Whether the request is a HEAD, for handlers that treat it differently. */
  isHead: boolean
  /** The path exactly as the client sent it, without the query string. */
  path: string
  /** Decoded path parameters. */
  params: Readonly<Record<string, string>>
  /** The query string exactly as the client sent it, without `?`. */
  search: string
  headers: IncomingHttpHeaders
  /** The parsed body; undefined if there is no body or its type is not supported. */
  body: unknown
  /** Files of a multipart request, in the order in which they were sent; otherwise empty. */
  files: readonly UploadedPart[]
  /** Result of the route's `prepare`. */
  prepared?: unknown
  /** The client's address. */
  ip: string
  caller: Caller
  /**
   * Counts an attempt for an account, in addition to the attempt already counted for the identifier that the client
   * sent. One account can have several identifiers. Returns false if there were too many attempts. The response must
   * not reveal this result.
   */
  countsAccount?: ((account: string) => Promise<boolean>) | undefined
  /** Identifies the client to the queues, which limit each client. */
  client: ReadClient
  /** Aborted if the client disconnects before the response has been sent completely. */
  signal: AbortSignal
  /** The time limit of a write; absent for a read. */
  time?: WriteTime | undefined
  /** Records the duration of each stage of the request; absent if nothing observes it. */
  timeline?: Timeline | undefined
  /** Reports a part of the request that is ignored. The response lists the name in `Quire-Ignored`. */
  ignored: (name: string) => void
  /**
   * Reports work that continues after the response. The request keeps its slot in the write queue until this work has
   * ended.
   */
  outlasts?: ((running: Promise<unknown>) => void) | undefined
  /** Logs an unhandled error that is hidden from the client. */
  logError?: ((error: unknown) => void) | undefined
}>

/** A file of a multipart request, at the time when it begins to arrive. */
export type ArrivingPart = Readonly<{
  field: string
  fileName: string
  /** Media type that the client claims; never trusted. */
  mimeType: string
  /** The first 64 KB of the content, or all of it if it is smaller. */
  start: Uint8Array
  /** The request's query string, without `?`. */
  search: string
}>

/** The result of a route's `prepare` or `keep`. */
export type Prepared<What> = Readonly<{
  /** The value that the handler receives as `request.prepared`. */
  what: What
  /** Removes everything that no handler has taken over. Called after every request, even after a failed one. */
  discard: () => Promise<void>
}>

/** The stored content of an uploaded file, in the form that the route needs. */
export type StoredPart = Prepared<unknown>

/**
 * Stores the content of an uploaded file while it arrives. Resolves when all of it is stored. If this rejects, the
 * request fails.
 */
export type KeepPart = (content: Readable, signal: AbortSignal) => Promise<StoredPart>

/** A file of a multipart request that has arrived completely. */
export type UploadedPart = Readonly<{
  field: string
  fileName: string
  /** Media type that the client claims; never trusted. */
  mimeType: string
  /** In bytes. */
  size: number
}> &
  (
    | Readonly<{
        is: 'file'
        /** Path of a temporary file with the content. It is removed after the reply. */
        path: string
      }>
    | Readonly<{ is: 'kept'; stored: StoredPart }>
  )

/** Headers of a response. */
export type HeaderTexts = Readonly<Record<string, string>>

export type Reply = Readonly<{
  status: number
  headers?: HeaderTexts | undefined
  /**
   * The body; absent for none. Bytes are sent unchanged, as JSON unless a header sets another type. Other values are
   * serialized to JSON.
   */
  body?: Uint8Array | Json | undefined
  /** Stored content to send instead of `body`. Supports ranges and conditional requests. `status` must be 200. */
  content?: SentContent
  /**
   * Cache policy of the response to a GET without credentials. If absent, public caches must not store the response.
   */
  cachePolicy?: CachePolicy | undefined
  /**
   * Pieces to send instead of `body`. A piece is requested when the client has read enough of the earlier ones. If the
   * iterator throws, the response is cut off.
   */
  stream?: AsyncIterable<string | Uint8Array>
}>

/** Stored content to send. */
export type SentContent = Readonly<{
  /** A strong entity tag, including its quotes. */
  etag: string
  modifiedAt: Date
  /** In bytes. */
  size: number
  /**
   * Opens all of the content, or a range that includes both ends. Returns undefined if the content no longer exists. A
   * reader that stops before the end destroys the stream.
   */
  open: (range?: Readonly<{ start: number; end: number }>) => Promise<Readable | undefined>
}>

/**
 * The callers that a route accepts:
 * - `open`: everybody. The handler does not learn who the caller is.
 * - `admin`: an admin user with a JWT, which `/api` rejects (docs/internals/decisions.md, "Admins are apart").
 * - `full-access`: a full-access API token.
 * - `anyone`: everybody, even admins. The handler learns who the caller is. Unknown credentials get a 401.
 * - an action: a caller of `/api` with permission for the action; others get a 401 or 403
 *   (docs/internals/decisions.md, "Permissions are given one by one"). Callers with permission for only `draftAction`
 *   also reach the handler, which must then reject writes of anything but drafts. Callers with permission for at least
 *   one action in `anyOf` also reach the handler, which must check the permission for each requested item.
 */
export type Guard =
  | 'open'
  | 'admin'
  | 'full-access'
  | 'anyone'
  | Readonly<{ action: string; draftAction?: string | undefined; anyOf?: readonly string[] }>

/**
 * One endpoint. Each feature exports a list of routes. `server/lifecycle/app.ts` mounts them. Methods for which a path
 * has no route get a 405.
 */
export type Route = Readonly<{
  method: Method
  /** An Express 5 pattern, such as `/api/users/:id`. */
  path: string
  guard: Guard
  /** Whether the body may be multipart; default false. */
  multipart?: boolean
  /**
   * Decides how the content of a file is stored, when the file begins to arrive. If this returns undefined, the content
   * is stored in a temporary file.
   */
  keep?: (part: ArrivingPart) => Promise<KeepPart | undefined>
  /**
   * Processes the uploaded files before the request waits for a slot in the write queue, and before its time limit
   * starts. `search` is the query string, without `?`.
   */
  prepare?: (files: readonly UploadedPart[], search: string) => Promise<Prepared<unknown>>
  /**
   * Limits for the body. Default: `http.bodyLimit`; for a route that counts attempts, 16 KB without compression
   * (`smallBody`).
   */
  bodyLimit?: BodyLimit
  /**
   * Whether the handler enforces its own time limit and responds when the limit is exceeded; default false. The
   * connection stays open even if nothing is sent for a long time.
   */
  ownTime?: boolean
  /**
   * Returns the estimated cost of a write, in addition to the cost of its bytes; default 0. The unit is the same as for
   * the cost of a query plan.
   */
  cost?: (body: unknown) => number
  /** Whether numbers in a JSON body that a double would round become a `NumberText`; default false. */
  exactNumbers?: boolean | undefined
  /**
   * Limits the number of calls per minute, and determines how calls are counted (docs/internals/decisions.md, "Users"). Default:
   * no limit.
   */
  attempts?: Attempts | undefined
  /**
   * Whether the handler waits for external services and writes almost nothing; default false. Such a request takes no
   * slot in the write queue. Otherwise other writes would have to wait for the external service.
   */
  callsExternal?: boolean | undefined
  /** Description for the OpenAPI document. If absent, the document does not list the route. */
  documented?: Documented | undefined
  handle: (request: HttpRequest) => Promise<Reply> | Reply
}>

/** Limits for the body of a request. */
export type BodyLimit = Readonly<{
  /** Maximum number of bytes after decompression. */
  bytes: number
  /** Name of the limit in error messages, usually the name of a setting. */
  bound: string
  /** Limit for each item of a list in the root object; default: none. */
  itemLimit?: ItemLimit
  /** Whether the body may have a `Content-Encoding`; default true. */
  isCompressible?: boolean
}>

/** Limits for bodies that contain credentials. */
export const smallBody: BodyLimit = {
  bytes: 16_384,
  bound: '16384 bytes',
  isCompressible: false,
}

export type Attempts = Readonly<{
  /** Name of the route, under which attempts are counted. */
  of: string
  /**
   * Returns the identifier whose attempts are counted, such as an email address. If this returns undefined, attempts
   * are counted by address only.
   */
  identifier: (request: Pick<HttpRequest, 'body' | 'caller' | 'headers'>) => string | undefined
}>

/** Counts the attempts of each address on the route `of`. */
export const byAddress = (of: string): Attempts => ({ of, identifier: () => '' })

/** Counts attempts by the value of one key of the body, in lower case. */
export const byBody = (of: string, key: string): Attempts => ({
  of,
  identifier: ({ body }) => {
    const value = objectOf(body)[key]
    return typeof value === 'string' ? value.trim().toLowerCase() : ''
  },
})

/** Returns a guard that requires a permission of a Strapi plugin, such as `users-permissions.user.find`. */
export const granted = (action: string): Guard => ({ action: `plugin::${action}` })

/** Parses a record id in a path. Returns -1, which is never an id, if the text is not a number. */
export const recordIdOf = (text = ''): number => (/^\d{1,15}$/.test(text) ? Number(text) : -1)

/** Returns the record id in the path parameter `:id`. */
export const idOf = ({ params }: HttpRequest): number => recordIdOf(params.id)

/** Returns `value`. If it is null or undefined, throws `not-found-because` with `message`. */
export function found<T>(value: T | null | undefined, message: string): T {
  if (value === undefined || value === null) throw fail('not-found-because', message)
  return value
}

export const reply = (
  status: number,
  body?: Json | Uint8Array,
  headers?: Record<string, string>,
): Reply => ({ status, body, headers })

/** Returns a reply with the body `{ data: … }`. */
export const dataReply = (data: Json | undefined, status = 200): Reply => reply(status, { data })
