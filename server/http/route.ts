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

/** JSON that a reply may contain. `undefined` members are left out. */
export type Json =
  string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined }

/** A request as handlers see it, independent of Express. */
export type HttpRequest = Readonly<{
  id: string
  /** The method. GET for a HEAD request too, whose response is that of a GET without the body. */
  method: Method
  /** Whether the request is a HEAD, for handlers that respond to it differently. */
  isHead: boolean
  /** Path as the client sent it, without the query string. */
  path: string
  /** Decoded parameters of the route's pattern. */
  params: Readonly<Record<string, string>>
  /** The query string as the client sent it, without `?`. */
  search: string
  headers: IncomingHttpHeaders
  /** The parsed body; undefined if there is none or its type is unsupported. */
  body: unknown
  /** Files of a multipart request, in the order they were sent; empty otherwise. */
  files: readonly UploadedPart[]
  /** Result of the route's `prepare`. */
  prepared?: unknown
  /** The client's address. */
  ip: string
  caller: Caller
  /**
   * Counts an attempt for an account too, because the same account may be named by several identifiers. Resolves with
   * false if there were too many attempts. The response must not reveal that.
   */
  countsAccount?: ((account: string) => Promise<boolean>) | undefined
  /** Identifies the client for queues. */
  client: ReadClient
  /** Aborted if the client disconnects before the response is complete. */
  signal: AbortSignal
  /** The time limit of a write. Absent for a read. */
  time?: WriteTime | undefined
  /** Records durations; absent if nothing observes them. */
  timeline?: Timeline | undefined
  /** Reports the name of an ignored part of the request. The response lists it in `Quire-Ignored`. */
  ignored: (name: string) => void
  /**
   * Reports work that continues after the response. The request keeps its slot in the queue of writes until the work
   * ends.
   */
  outlasts?: ((running: Promise<unknown>) => void) | undefined
  /** Logs an unhandled error that the response does not show. */
  logError?: ((error: unknown) => void) | undefined
}>

/** A file of a multipart request that begins to arrive. */
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
  /** The value for the handler: the request's `prepared`. */
  what: What
  /** Removes everything that no handler has taken over. Called when the request is finished, even if it failed. */
  discard: () => Promise<void>
}>

/** The stored content of a part, in the form that the route needs. */
export type StoredPart = Prepared<unknown>

/** Stores the content of a part while it arrives. Resolves at its end. An error fails the request. */
export type KeepPart = (content: Readable, signal: AbortSignal) => Promise<StoredPart>

/** A file of a multipart request. */
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
   * Bytes are sent unchanged, as JSON unless a header says otherwise. Other values are serialized to JSON. Absent = no
   * body.
   */
  body?: Uint8Array | Json | undefined
  /** Sent instead of `body`. Supports ranges and conditional requests. `status` must be 200. */
  content?: SentContent
  /** Cache policy of the response to a GET without credentials. Absent = not cacheable. */
  cachePolicy?: CachePolicy | undefined
  /**
   * Sent instead of `body`. Pieces are sent as they are produced and the client reads them. An error cuts off the
   * response.
   */
  stream?: AsyncIterable<string | Uint8Array>
}>

/** Stored content to send. */
export type SentContent = Readonly<{
  /** A strong entity tag, with its quotes. */
  etag: string
  modifiedAt: Date
  /** In bytes. */
  size: number
  /**
   * Opens all of the content, or a range (both ends included). Resolves with undefined if the content no longer exists.
   * A reader that stops early destroys the stream.
   */
  open: (range?: Readonly<{ start: number; end: number }>) => Promise<Readable | undefined>
}>

/**
 * The callers that a route accepts:
 * - `open`: anybody; the handler gets no caller;
 * - `admin`: an admin user's JWT, which `/api` rejects (docs/decisions.md, "Admins are apart");
 * - `full-access`: a full-access API token;
 * - `anyone`: anybody, even an admin; the handler gets the caller; 401 for unknown credentials;
 * - an action: a caller of `/api` whose grant includes the action; 401 or 403 otherwise (docs/decisions.md,
 *   "Permissions are given one by one"). A grant of only `draftAction` also reaches the handler, which must reject
 *   writes of more than a draft. A grant of one of `anyOf` also reaches the handler, which must check each requested
 *   item.
 */
export type Guard =
  | 'open'
  | 'admin'
  | 'full-access'
  | 'anyone'
  | Readonly<{ action: string; draftAction?: string | undefined; anyOf?: readonly string[] }>

/**
 * One endpoint. Each feature exports a list of routes. `server/lifecycle/app.ts` mounts them, and responds to other
 * methods with 405.
 */
export type Route = Readonly<{
  method: Method
  /** An Express 5 pattern, such as `/api/users/:id`. */
  path: string
  guard: Guard
  /** Whether the body may be multipart; default false. */
  multipart?: boolean
  /**
   * Decides, when a file begins to arrive, who stores its content. If it resolves with undefined, the content goes into
   * a temporary file.
   */
  keep?: (part: ArrivingPart) => Promise<KeepPart | undefined>
  /**
   * Processes the files of a request before the write waits for a slot, and before its time limit begins. `search` is
   * the request's query string, without `?`.
   */
  prepare?: (files: readonly UploadedPart[], search: string) => Promise<Prepared<unknown>>
  /** Limits of the body. Default: `http.bodyLimit`. For a route that counts attempts: 16 KB without compression. */
  bodyLimit?: BodyLimit
  /**
   * Whether the handler enforces its time limit itself and responds when it is exceeded; default false. Even if nothing
   * is sent for a long time, the connection stays open.
   */
  ownTime?: boolean
  /**
   * Returns the estimated cost of a write, in addition to that of its bytes. The unit is that of a plan's cost. Default
   * 0.
   */
  cost?: (body: unknown) => number
  /** Whether numbers of a JSON body become a `NumberText` if a double would round them; default false. */
  exactNumbers?: boolean | undefined
  /**
   * Limits the calls per minute, and determines how they are counted (docs/decisions.md, "Users"). Default: no limit.
   */
  attempts?: Attempts | undefined
  /**
   * Whether the handler waits for external services and writes next to nothing; default false. It then takes no slot in
   * the queue of writes, because other writes would have to wait for the external service.
   */
  callsExternal?: boolean | undefined
  /** Description for the OpenAPI document. Absent = the document does not list the route. */
  documented?: Documented | undefined
  handle: (request: HttpRequest) => Promise<Reply> | Reply
}>

/** Limits of a body. */
export type BodyLimit = Readonly<{
  /** Maximum number of bytes after decompression. */
  bytes: number
  /** Name of the limit in errors. Usually the name of its setting. */
  bound: string
  /** Limit of each item in a list that is a member of the root object; default: none. */
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
  /** Name under which attempts are counted. */
  of: string
  /**
   * Returns the identifier whose attempts are counted, such as an email address. Undefined = counted by address alone.
   */
  identifier: (request: Pick<HttpRequest, 'body' | 'caller' | 'headers'>) => string | undefined
}>

/** Counts attempts by address and route. */
export const byAddress = (of: string): Attempts => ({ of, identifier: () => '' })

/** Counts attempts by the text of one key of the body, in lower case. */
export const byBody = (of: string, key: string): Attempts => ({
  of,
  identifier: ({ body }) => {
    const value = objectOf(body)[key]
    return typeof value === 'string' ? value.trim().toLowerCase() : ''
  },
})

/** Requires a permission of a Strapi plugin, such as `users-permissions.user.find`. */
export const granted = (action: string): Guard => ({ action: `plugin::${action}` })

/** Parses the id in a path. Returns -1, which is never an id, if the text is not a number. */
export const recordIdOf = (text = ''): number => (/^\d{1,15}$/.test(text) ? Number(text) : -1)

/** Returns the record id in the path parameter `:id`. */
export const idOf = ({ params }: HttpRequest): number => recordIdOf(params.id)

/** Returns the value. If it is absent, throws `not-found-because` with the message. */
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
