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

/** The services and limits that the handling of all endpoints uses. */
export type EndpointParts = Readonly<{
  access: Access
  readBody: BodyReader
  readMultipart: MultipartReader
  attempts: AttemptLimit
  /** Queue of all requests that are not reads. Reads have other queues. */
  writes: Queue
  outputBuffers: OutputBuffers
  /** `api.rest.queryTimeoutMs`. */
  readTimeoutMs: number
  /** `api.rest.writeTimeoutMs`. */
  writeTimeoutMs: number
  /** Measures the time of a read. */
  clock: Clock
  /** Public caching of responses without credentials; undefined = none. */
  caching: PublicCaching | undefined
  /** Compresses responses to reads. Undefined = no compression. */
  compress?: Compress | undefined
  /** Returns the error that currently rejects writes because storage is full. Returns undefined if there is room. */
  refusal?: (() => ApiError | undefined) | undefined
}>

/** A request for which routing has found an endpoint. */
export type Arrived = Readonly<{
  endpoint: Endpoint
  params: Readonly<Record<string, string>>
  request: Request
  response: Response
}>

/** The caller of an open endpoint. Nobody is identified there. */
const anybody: Caller = {
  kind: 'public',
  grant: { key: 'none', actions: new Set() },
}

/** Returns the caller of an endpoint. Throws `unauthorized` or `forbidden` (`Access.authorize`). */
export const identify = (
  access: Access,
  endpoint: Endpoint,
  request: Request,
): Promise<Caller> | Caller =>
  endpoint.guard === 'open' ? anybody : access.authorize(endpoint.guard, request.headers)

/** The members of a handler's request that `toHttpRequest` cannot take from the Express request. */
type RequestParts = Omit<
  HttpRequest,
  'id' | 'method' | 'isHead' | 'path' | 'search' | 'headers' | 'ip'
>

export function toHttpRequest(request: Request, parts: RequestParts): HttpRequest {
  return {
    id: request.id,
    // The routing rejects all other methods. A HEAD is handled as a GET.
    method: request.method === 'HEAD' ? 'GET' : (request.method as Method),
    isHead: request.method === 'HEAD',
    path: pathOf(request.originalUrl),
    search: searchOf(request.originalUrl),
    headers: request.headers,
    // A getter, because finding the address in the proxies' headers takes time, and few handlers use it.
    get ip() {
      return addressOf(request)
    },
    ...parts,
  }
}
