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

/** JSON that a reply may carry. `undefined` members are left out. */
export type Json =
  string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined }

/** A request as handlers see it, without Express. */
export type HttpRequest = Readonly<{
  id: string
  /** GET for a HEAD too, whose response is that of a GET without its body. */
  method: Method
  /** Whether it is a HEAD, for handlers that respond to it differently. */
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
   * Counts an attempt by its account as well, because an account has several identifiers. Resolves with false if there
   * were too many. The response must not show that.
   */
  countsAccount?: ((account: string) => Promise<boolean>) | undefined
  /** Identifies the client for queues. */
  client: ReadClient
  /** Aborted if the client disconnects before the response is complete. */
  signal: AbortSignal
  /** For a write: its time limit. */
  time?: WriteTime | undefined
  /** Records durations; absent if nothing observes them. */
  timeline?: Timeline | undefined
  /** Reports the name of an ignored part of the request, which the response lists in `Quire-Ignored`. */
  ignored: (name: string) => void
  /** Reports work that continues after the response. The request keeps its slot among the writes until that ends. */
  outlasts?: ((running: Promise<unknown>) => void) | undefined
  /** Logs an unhandled error that does not become the response. */
  logError?: ((error: unknown) => void) | undefined
}>

/** A part of a multipart request that begins to arrive. */
export type ArrivingPart = Readonly<{
  field: string
  fileName: string
  /** Media type that the client claims; never trusted. */
  mimeType: string
  /** The first 64 KB, or all bytes if there are fewer. */
  start: Uint8Array
  /** The request's query string, without `?`. */
  search: string
}>

/** What a route prepared from the files of a request. */
export type Prepared<What> = Readonly<{
  /** The request's `prepared`. */
  what: What
  /** Called when the request is finished, however it ended. Removes what was not taken over until then. */
  discard: () => Promise<void>
}>

/** Where the content of a part was stored, as the route needs it. */
export type StoredPart = Prepared<unknown>

/** Stores the content of a part while it arrives, to its end. An error fails the request. */
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
        /** Temporary file with the content; removed after the reply. */
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
   * Bytes are sent untouched (as JSON unless a header says otherwise); anything else is stringified; absent = no body.
   */
  body?: Uint8Array | Json | undefined
  /** Sent instead of a body, with ranges and conditional requests; `status` is 200 then. */
  content?: SentContent
  /** Public cache policy of the response to a GET without credentials; absent = not cacheable. */
  cachePolicy?: CachePolicy | undefined
  /** Sent instead of a body, piece by piece as it is produced and read. An error on the way cuts off the response. */
  stream?: AsyncIterable<string | Uint8Array>
}>

/** Stored content to send. */
export type SentContent = Readonly<{
  /** A strong tag, with its quotes. */
  etag: string
  modifiedAt: Date
  /** In bytes. */
  size: number
  /**
   * Opens all of it, or the range with both ends included. Resolves with undefined if it is gone meanwhile. The reader
   * destroys the stream if it stops early.
   */
  open: (range?: Readonly<{ start: number; end: number }>) => Promise<Readable | undefined>
}>

/**
 * Who may call a route:
 * - `open`: anybody; the handler gets no caller;
 * - `admin`: an admin user's JWT, which `/api` rejects (docs/decisions.md, "Admins are apart");
 * - `full-access`: a full-access API token;
 * - `anyone`: anybody, admins too, and the handler gets the caller; 401 for unknown credentials;
 * - an action: a caller of `/api` whose grant holds it; 401 or 403 otherwise
 *   (docs/decisions.md, "Permissions are given one by one"). A grant of `draftAction` alone also reaches the handler,
 *   which rejects writes of more than a draft. So does a grant of one of `anyOf`, if the handler checks each requested
 *   item.
 */
export type Guard =
  | 'open'
  | 'admin'
  | 'full-access'
  | 'anyone'
  | Readonly<{ action: string; draftAction?: string | undefined; anyOf?: readonly string[] }>

/** One endpoint. Features export lists of these. `server/lifecycle/app.ts` mounts them, with 405 for other methods. */
export type Route = Readonly<{
  method: Method
  /** An Express 5 pattern, such as `/api/users/:id`. */
  path: string
  guard: Guard
  /** Whether the body may be multipart; default false. */
  multipart?: boolean
  /**
   * Decides who stores the content of each file of a request, when the file begins to arrive. If undefined, it is
   * received into a temporary file.
   */
  keep?: (part: ArrivingPart) => Promise<KeepPart | undefined>
  /**
   * Processes the files of a request, before the write waits for a slot and its time limit begins. `search` is the
   * request's query string, without `?`.
   */
  prepare?: (files: readonly UploadedPart[], search: string) => Promise<Prepared<unknown>>
  /** Default: `http.bodyLimit`; for a route that counts attempts, 16 KB without compression. */
  bodyLimit?: BodyLimit
  /**
   * Whether the handler enforces its time limit itself and responds then; default false. A connection on which such a
   * read sends nothing meanwhile is not cut.
   */
  ownTime?: boolean
  /** Estimated cost of a write in addition to its bytes, in the unit of a plan's cost; default 0. */
  cost?: (body: unknown) => number
  /** Whether numbers of a JSON body that a double would round become a `NumberText`; default false. */
  exactNumbers?: boolean | undefined
  /** Limits calls per minute, and says what they are counted by (docs/decisions.md, "Users"); default: no limit. */
  attempts?: Attempts | undefined
  /**
   * Whether it waits for external services and writes next to nothing; default false. It takes no slot among the
   * writes, which would wait with it.
   */
  callsExternal?: boolean | undefined
  /** Description in the API's document; absent = not listed there. */
  documented?: Documented | undefined
  handle: (request: HttpRequest) => Promise<Reply> | Reply
}>

/** Limits of a body. */
export type BodyLimit = Readonly<{
  /** Most bytes, after decompression. */
  bytes: number
  /** Name of the limit in errors: that of its setting. */
  bound: string
  /** Limit of each item of a list in the root object; default: none. */
  itemLimit?: ItemLimit
  /** Whether the body may have a `Content-Encoding`; default true. */
  isCompressible?: boolean
}>

/** For bodies that hold credentials. */
export const smallBody: BodyLimit = {
  bytes: 16_384,
  bound: '16384 bytes',
  isCompressible: false,
}

export type Attempts = Readonly<{
  /** Name of the route. */
  of: string
  /** Returns the identifier that a call is about; undefined if calls are counted by address alone. */
  identifier: (request: Pick<HttpRequest, 'body' | 'caller' | 'headers'>) => string | undefined
}>

/** Counts attempts by address and route. */
export const byAddress = (of: string): Attempts => ({ of, identifier: () => '' })

/** Counts attempts by the text of a key of the body, ignoring case. */
export const byBody = (of: string, key: string): Attempts => ({
  of,
  identifier: ({ body }) => {
    const value = objectOf(body)[key]
    return typeof value === 'string' ? value.trim().toLowerCase() : ''
  },
})

/** Requires a permission of a Strapi plugin, such as `users-permissions.user.find`. */
export const granted = (action: string): Guard => ({ action: `plugin::${action}` })

/** Parses the id in a path. Returns -1, an id that nothing has, for other text. */
export const recordIdOf = (text = ''): number => (/^\d{1,15}$/.test(text) ? Number(text) : -1)

/** Returns the record id in the path parameter `:id`. */
export const idOf = ({ params }: HttpRequest): number => recordIdOf(params.id)

/** Returns the value. Throws `not-found-because` with this message if it is absent. */
export function found<T>(value: T | null | undefined, message: string): T {
  if (value === undefined || value === null) throw fail('not-found-because', message)
  return value
}

export const reply = (
  status: number,
  body?: Json | Uint8Array,
  headers?: Record<string, string>,
): Reply => ({ status, body, headers })

/** `{ data: … }`. */
export const dataReply = (data: Json | undefined, status = 200): Reply => reply(status, { data })
