import type { Timeline } from '../../engine/timeline.js'
import type { WriteTime } from '../../engine/write-time.js'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { fail } from '../../engine/errors.js'
import type { ReadClient } from '../../engine/read.js'
import type { Grant } from '../../engine/schema/grant.js'
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
  /** GET for a HEAD request too. */
  method: Method
  isHead: boolean
  path: string
  params: Readonly<Record<string, string>>
  /** As the client sent it, without `?`. */
  search: string
  headers: IncomingHttpHeaders
  /** The parsed body; undefined if there is none, or its type is not supported. */
  body: unknown
  /** Uploaded files in the order in which they were sent; empty unless the request is multipart. */
  files: readonly UploadedPart[]
  prepared?: unknown
  ip: string
  caller: Caller
  /** Counts an attempt for an account. Returns false if there were too many, which the response must not reveal. */
  countsAccount?: ((account: string) => Promise<boolean>) | undefined
  client: ReadClient
  /** Aborted if the client disconnects before the response is complete. */
  signal: AbortSignal
  /** Time limit of a write; absent for a read. */
  time?: WriteTime | undefined
  timeline?: Timeline | undefined
  /** Lists an ignored part of the request in `Quire-Ignored`. */
  ignored: (name: string) => void
  /**
   * Reports work that continues after the response. The request keeps its slot in the write queue until that work ends.
   */
  outlasts?: ((running: Promise<unknown>) => void) | undefined
  /** Logs an error that the client does not see. */
  logError?: ((error: unknown) => void) | undefined
}>

/** A file of a multipart request that begins to arrive. */
export type ArrivingPart = Readonly<{
  field: string
  fileName: string
  /** Media type that the client claims; never trusted. */
  mimeType: string
  /** The first 64 KB of the content, or all of it. */
  start: Uint8Array
  search: string
}>

/** The result of a route's `prepare` or `keep`. */
export type Prepared<What> = Readonly<{
  what: What
  /** Removes what no handler has taken over. Called at the end of every request, even if it failed. */
  discard: () => Promise<void>
}>

/** Stored content of an uploaded file, in the form that the route needs. */
export type StoredPart = Prepared<unknown>

/** Stores a file while it arrives. Resolves when all of it is stored; the request fails if this rejects. */
export type KeepPart = (content: Readable, signal: AbortSignal) => Promise<StoredPart>

/** A file of a multipart request that has arrived completely. */
export type UploadedPart = Readonly<{
  field: string
  fileName: string
  mimeType: string
  size: number
}> &
  (
    | Readonly<{
        is: 'file'
        /** Path of a temporary file, which is removed after the reply. */
        path: string
      }>
    | Readonly<{ is: 'kept'; stored: StoredPart }>
  )

/** Headers of a response. */
export type HeaderTexts = Readonly<Record<string, string>>

export type Reply = Readonly<{
  status: number
  headers?: HeaderTexts | undefined
  /** Bytes are sent unchanged, as JSON unless a header sets another type. Other values are serialized to JSON. */
  body?: Uint8Array | Json | undefined
  /** Stored content to send instead of `body`, with ranges and conditional requests. Requires `status` 200. */
  content?: SentContent
  /** Cache policy for a GET without credentials. If absent, public caches must not store the response. */
  cachePolicy?: CachePolicy | undefined
  /**
   * Pieces to send instead of `body`, each requested when the client has read enough. If the iterable throws, the
   * response is cut off.
   */
  stream?: AsyncIterable<string | Uint8Array>
}>

/** Stored content to send. */
export type SentContent = Readonly<{
  /** A strong entity tag, including its quotes. */
  etag: string
  modifiedAt: Date
  size: number
  /**
   * Opens the content, or the bytes from `start` to `end`, both included; undefined if the content no longer exists.
   * Destroy the stream unless you read it to its end.
   */
  open: (range?: Readonly<{ start: number; end: number }>) => Promise<Readable | undefined>
}>

/**
 * The callers that a route accepts:
 * - `open`: everybody. The caller is not identified.
 * - `admin`: an admin user with a JWT (docs/internals/decisions.md, "Admins are apart").
 * - `full-access`: a full-access API token.
 * - `anyone`: everybody, even admins. The caller is identified; unknown credentials get a 401.
 * - an action (docs/internals/decisions.md, "Permissions are given one by one"): a caller of `/api` with permission for
 *   it, for `draftAction`, or for one action in `anyOf`. If the caller lacks permission for `action`, the handler must
 *   reject writes of anything but drafts (`draftAction`), or check each item (`anyOf`).
 */
export type Guard =
  | 'open'
  | 'admin'
  | 'full-access'
  | 'anyone'
  | Readonly<{ action: string; draftAction?: string | undefined; anyOf?: readonly string[] }>

/** Identifies callers and checks guards. Apart from the type `Caller`, `server/http` imports nothing of accounts. */
export type Access = Readonly<{
  /**
   * Returns the caller (docs/internals/decisions.md, "Permissions are given one by one"). Throws `unauthorized` for
   * unknown credentials, and `forbidden` without permission for the guard's action.
   */
  authorize: (guard: Guard, headers: IncomingHttpHeaders) => Promise<Caller>
  /**
   * Returns the permissions of a caller of `/api`; undefined for unknown credentials. If this function is absent, 404s
   * suggest no other path.
   */
  grantOf?: (headers: IncomingHttpHeaders) => Promise<Grant | undefined>
}>

/**
 * One endpoint. `server/lifecycle/app.ts` mounts the routes of each feature. A request with another method gets a 405.
 */
export type Route = Readonly<{
  method: Method
  /** An Express 5 pattern, such as `/api/users/:id`. */
  path: string
  guard: Guard
  multipart?: boolean
  /**
   * Called when a file begins to arrive. Decides how its content is stored. If it returns undefined, the content is
   * stored in a temporary file.
   */
  keep?: (part: ArrivingPart) => Promise<KeepPart | undefined>
  /** Processes the uploaded files before the request waits in the write queue and its time limit starts. */
  prepare?: (files: readonly UploadedPart[], search: string) => Promise<Prepared<unknown>>
  /** Default: `http.bodyLimit`; for a route that counts attempts, `smallBody`. */
  bodyLimit?: BodyLimit
  /**
   * Whether the handler enforces a time limit itself; default false. If true, the connection may stay open for long
   * without data.
   */
  ownTime?: boolean
  /** Estimated cost of a write in the unit of a query plan's cost, in addition to the cost of its bytes; default 0. */
  cost?: (body: unknown) => number
  /** Whether numbers in a JSON body that a double would round become a `NumberText`; default false. */
  exactNumbers?: boolean | undefined
  /** Limits the calls per minute (docs/internals/decisions.md, "Users"). Default: no limit. */
  attempts?: Attempts | undefined
  /**
   * Whether the handler waits for external services and writes almost nothing; default false. If true, the request
   * needs no write slot.
   */
  callsExternal?: boolean | undefined
  /** If absent, the OpenAPI document does not list the route. */
  documented?: Documented | undefined
  handle: (request: HttpRequest) => Promise<Reply> | Reply
}>

/** The handler for one method of a path, and its options. */
export type Endpoint = Omit<Route, 'method' | 'path' | 'documented'>

/** Limits for the body of a request. */
export type BodyLimit = Readonly<{
  /** Maximum bytes after decompression. */
  bytes: number
  /** Name of this limit in error messages, usually a setting. */
  bound: string
  itemLimit?: ItemLimit
  isCompressible?: boolean
}>

/** Limits for bodies that contain credentials. */
export const smallBody: BodyLimit = {
  bytes: 16_384,
  bound: '16384 bytes',
  isCompressible: false,
}

export type Attempts = Readonly<{
  /** Route name under which attempts are counted. */
  of: string
  /**
   * Returns whose attempts are counted, such as an email address; undefined if only the attempts of the IP address are
   * counted.
   */
  identifier: (request: Pick<HttpRequest, 'body' | 'caller' | 'headers'>) => string | undefined
}>

/** Counts the attempts of each IP address. */
export const byAddress = (of: string): Attempts => ({ of, identifier: () => '' })

/** Counts attempts by one key of the body, in lower case. */
export const byBody = (of: string, key: string): Attempts => ({
  of,
  identifier: ({ body }) => {
    const value = objectOf(body)[key]
    return typeof value === 'string' ? value.trim().toLowerCase() : ''
  },
})

/** Returns a guard that requires a permission of a Strapi plugin, such as `users-permissions.user.find`. */
export const granted = (action: string): Guard => ({ action: `plugin::${action}` })

/** Parses a record id in a path. Returns -1, which is never an id, for text that is not a number. */
export const recordIdOf = (text = ''): number => (/^\d{1,15}$/.test(text) ? Number(text) : -1)

/** Returns the record id in the path parameter `:id`. */
export const idOf = ({ params }: HttpRequest): number => recordIdOf(params.id)

/** Returns `value`. Throws `not-found-because` with `message` if it is null or undefined. */
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
