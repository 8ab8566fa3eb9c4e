import type { Request, Response } from 'express'
import type { Clock } from '../../../engine/monotonic-now.js'
import type { ApiError } from '../../../engine/errors.js'
import type { Queue } from '../../../workers/admission.js'
import type { Caller } from '../../accounts/caller.js'
import { addressOf } from '../request/address.js'
import type { Access } from './authorizer.js'
import type { BodyReader } from '../request/body.js'
import type { Compress } from '../response/compress.js'
import type { Endpoint } from './dispatcher.js'
import type { MultipartReader } from '../request/multipart.js'
import type { PublicCaching } from '../response/public-caching.js'
import type { AttemptLimit } from './rate-limit.js'
import type { HttpRequest, Method } from '../route.js'
import { pathOf, searchOf } from '../request/target-parts.js'
import type { OutputBuffers } from '../response/output-buffers.js'

/** Services and limits that all endpoints use. */
export type EndpointParts = Readonly<{
  access: Access
  readBody: BodyReader
  readMultipart: MultipartReader
  attempts: AttemptLimit
  /** Queue for all requests except reads. */
  writes: Queue
  outputBuffers: OutputBuffers
  readTimeoutMs: number
  writeTimeoutMs: number
  clock: Clock
  caching: PublicCaching | undefined
  /** Undefined if responses are not compressed. */
  compress?: Compress | undefined
  /** Returns the error for writes while storage is full; undefined if there is enough space. */
  refusal?: (() => ApiError | undefined) | undefined
}>

/** A request for which routing has found an endpoint. */
export type Arrived = Readonly<{
  endpoint: Endpoint
  params: Readonly<Record<string, string>>
  request: Request
  response: Response
}>

/** The caller in handlers of `open` endpoints, for which nobody is identified. */
const anybody: Caller = {
  kind: 'public',
  grant: { key: 'none', actions: new Set() },
}

/** Returns the caller of a request. Throws `unauthorized` or `forbidden` (`Access.authorize`). */
export const identify = (
  access: Access,
  endpoint: Endpoint,
  request: Request,
): Promise<Caller> | Caller =>
  endpoint.guard === 'open' ? anybody : access.authorize(endpoint.guard, request.headers)

/** The members of `HttpRequest` that `toHttpRequest` cannot derive from the Express request. */
type RequestParts = Omit<
  HttpRequest,
  'id' | 'method' | 'isHead' | 'path' | 'search' | 'headers' | 'ip'
>

export function toHttpRequest(request: Request, parts: RequestParts): HttpRequest {
  return {
    id: request.id,
    // Routing has already rejected all other methods. A HEAD is handled like a GET.
    method: request.method === 'HEAD' ? 'GET' : (request.method as Method),
    isHead: request.method === 'HEAD',
    path: pathOf(request.originalUrl),
    search: searchOf(request.originalUrl),
    headers: request.headers,
    // A getter, because few handlers need the address, and finding it in the proxies' headers takes time.
    get ip() {
      return addressOf(request)
    },
    ...parts,
  }
}
