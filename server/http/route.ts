import type { Timeline } from '../../engine/timeline.js'
import type { WriteTime } from '../../engine/write/write-time.js'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { fail } from '../../engine/errors.js'
import type { ReadAsker } from '../../engine/read.js'
import { objectOf } from '../../engine/values/is-object.js'
import type { ItemLimit } from '../../engine/values/scan-json.js'
import type { KeptBy } from '../content/documents.js'
import type { Caller } from '../accounts/caller.js'
import type { Documented } from './documented.js'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** JSON that a reply may carry; `undefined` members are left out. */
export type Json =
  string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined }

/** A request as handlers see it: nothing of Express in it. */
export type HttpRequest = Readonly<{
  id: string
  /** GET for a HEAD too, whose answer is that of a GET without its body. */
  method: Method
  /** Whether it is a HEAD: for a handler whose answer to it is another. */
  isHead: boolean
  /** Without the query string; as the client sent it. */
  path: string
  /** Of the route's pattern, decoded. */
  params: Readonly<Record<string, string>>
  /** The query string as the client sent it, without `?`. */
  search: string
  headers: IncomingHttpHeaders
  /** The parsed body; undefined where there was none or none that is understood. */
  body: unknown
  /** Files of a multipart request, in the order they were sent; empty otherwise. */
  files: readonly UploadedPart[]
  /** What the route's `prepare` made of them. */
  prepared?: unknown
  /** The client's address. */
  ip: string
  caller: Caller
  /**
   * Counts an attempt by its account as well, because an account has several identifiers; false if there were too many.
   * The answer must not show that.
   */
  countsAccount?: ((account: string) => Promise<boolean>) | undefined
  /** For the decision whose turn it is. */
  asker: ReadAsker
  /** Aborted when the client disconnects before it was answered. */
  signal: AbortSignal
  /** Of a write: how long it may take. */
  time?: WriteTime | undefined
  /** To be told what took how long; absent where nobody asks. */
  timeline?: Timeline | undefined
  /** To be told the name of whatever of the request is passed over: the answer names it (`Quire-Ignored`). */
  ignored: (name: string) => void
  /** To be told of what goes on behind the answer: until it has ended, the request keeps its place among the writes. */
  outlasts?: ((running: Promise<unknown>) => void) | undefined
  /** To be told of a fault of ours that the answer does not end with: the log has it. */
  fault?: ((error: unknown) => void) | undefined
}>

/** A part of a multipart request that begins to arrive. */
export type ArrivingPart = Readonly<{
  field: string
  fileName: string
  /** What the client says it is; never trusted. */
  mimeType: string
  /** The first bytes: 64 KB, or all of them. */
  start: Uint8Array
  /** The request's query string, without `?`. */
  search: string
}>

/** What a route made of the files of a request. */
export type Prepared<What> = Readonly<{
  /** The request's `prepared`. */
  what: What
  /** Called when the request is over, however it ended; what was not taken over until then goes. */
  discard: () => Promise<void>
}>

/** Where the content of a part has gone to: what the route wants to know of it. */
export type KeptPart = Prepared<unknown>

/** Takes the content of a part while it arrives, to its end; what fails fails the request. */
export type KeepPart = (content: Readable, signal: AbortSignal) => Promise<KeptPart>

/** A file of a multipart request. */
export type UploadedPart = Readonly<{
  field: string
  fileName: string
  /** What the client says it is; never trusted. */
  mimeType: string
  /** In bytes. */
  size: number
}> &
  (
    | Readonly<{
        is: 'file'
        /** Temporary file that holds the content; removed after the reply. */
        path: string
      }>
    | Readonly<{ is: 'kept'; kept: KeptPart }>
  )

/** Headers of an answer. */
export type HeaderTexts = Readonly<Record<string, string>>

export type Reply = Readonly<{
  status: number
  headers?: HeaderTexts | undefined
  /** Bytes are sent untouched (JSON unless a header says otherwise); anything else is stringified; absent = no body. */
  body?: Uint8Array | Json | undefined
  /** To send instead of a body, with ranges and conditional requests; `status` is 200 then. */
  content?: SentContent
  /** How anybody may keep what is answered to a GET without credentials; absent: nobody may. */
  kept?: KeptBy | undefined
  /** To send instead of a body, piece by piece as it is made and taken; what fails on the way breaks the answer off. */
  stream?: AsyncIterable<string | Uint8Array>
}>

/** Stored content as it is sent. */
export type SentContent = Readonly<{
  /** A strong tag, in its quotes. */
  etag: string
  modifiedAt: Date
  /** In bytes. */
  size: number
  /** All of it, or a part of it with both its ends; undefined where it is gone meanwhile. Who stops reading destroys it. */
  open: (range?: Readonly<{ start: number; end: number }>) => Promise<Readable | undefined>
}>

/**
 * Who may call a route:
 * - `open`: anybody; the handler is not told who calls;
 * - `admin`: an admin user's JWT, which `/api` refuses (docs/decisions.md, "Admins are apart");
 * - `full-access`: a full-access API token;
 * - `anyone`: anybody, admins too, and the handler is told who; 401 for credentials that nobody has;
 * - an action: a caller of `/api` whose grant holds it, 401 or 403 otherwise (docs/decisions.md,
 *   "Permissions are given one by one"). With `draftAction` alone the caller gets as far as the handler,
 *   which refuses what writes more than a draft; with one of `anyOf` as well, where the handler looks at each thing
 *   that is asked for.
 */
export type Guard =
  | 'open'
  | 'admin'
  | 'full-access'
  | 'anyone'
  | Readonly<{ action: string; draftAction?: string | undefined; anyOf?: readonly string[] }>

/** One endpoint. Features export lists of these; `server/lifecycle/app.ts` mounts them, with 405 for the other verbs. */
export type Route = Readonly<{
  method: Method
  /** An Express 5 pattern: `/api/users/:id`. */
  path: string
  guard: Guard
  /** Whether the body may be multipart; default false. */
  multipart?: boolean
  /**
   * Decides of each file of a request, when it begins to arrive, who keeps its content; where nobody does it is
   * received into a temporary file.
   */
  keep?: (part: ArrivingPart) => Promise<KeepPart | undefined>
  /**
   * Work on the files of a request, before the write has its turn among others and its time begins. `search` is the
   * request's query string, without `?`.
   */
  prepare?: (files: readonly UploadedPart[], search: string) => Promise<Prepared<unknown>>
  /** Default: `http.bodyLimit`; of a route that counts attempts, 16 KB without compression. */
  bodyLimit?: BodyLimit
  /**
   * Whether the handler sees to it that it ends, a write in its time, and answers then; default false. A connection on
   * which such a read sends nothing meanwhile is not cut.
   */
  ownTime?: boolean
  /** What a write is likely to cost beside its bytes, in the unit of a plan's cost; default nothing. */
  cost?: (body: unknown) => number
  /** Whether numbers of a JSON body that a double would round come as `NumberText`; default false. */
  exactNumbers?: boolean | undefined
  /**
   * What calls are counted by, a few of which are let through in a minute (docs/decisions.md, "Users");
   * default: they are not counted.
   */
  attempts?: Attempts | undefined
  /**
   * Whether it waits for services of others, and writes next to nothing: it takes no place among the writes, which
   * would wait with it; default false.
   */
  asksOthers?: boolean | undefined
  /** What the API's document says of it; absent: it is not in there. */
  documented?: Documented | undefined
  handle: (request: HttpRequest) => Promise<Reply> | Reply
}>

/** Bounds of a body. */
export type BodyLimit = Readonly<{
  /** Most bytes, after decompression. */
  bytes: number
  /** The name of the limit in errors: that of its setting. */
  bound: string
  /** Of each item of a list in the root object; default: no limit of its own. */
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
  /** A name of the route. */
  of: string
  /** Whom a call is about; undefined where calls are counted by address alone. */
  identifier: (request: Pick<HttpRequest, 'body' | 'caller' | 'headers'>) => string | undefined
}>

/** Attempts are counted by their address and this route. */
export const byAddress = (of: string): Attempts => ({ of, identifier: () => '' })

/** Attempts are counted by the text of a body's key, in any case. */
export const byBody = (of: string, key: string): Attempts => ({
  of,
  identifier: ({ body }) => {
    const value = objectOf(body)[key]
    return typeof value === 'string' ? value.trim().toLowerCase() : ''
  },
})

/** Requires a permission of a Strapi plugin, such as `users-permissions.user.find`. */
export const granted = (action: string): Guard => ({ action: `plugin::${action}` })

/** The id that a path names; for a text that is none, one that nothing has. */
export const recordIdOf = (text = ''): number => (/^\d{1,15}$/.test(text) ? Number(text) : -1)

/** Returns the record id in the path parameter `:id`. */
export const idOf = ({ params }: HttpRequest): number => recordIdOf(params.id)

/** Returns a value. Throws `not-found-because` with this message where it is absent. */
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
