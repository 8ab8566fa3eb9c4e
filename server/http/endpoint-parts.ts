import type { Request, Response } from 'express'
import type { Clock } from '../../engine/steady-now.js'
import type { ApiError } from '../../engine/errors.js'
import type { Line } from '../../workers/admission.js'
import type { Caller } from '../accounts/caller.js'
import { addressOf } from './address.js'
import type { Access } from './authorizer.js'
import type { BodyReader } from './body.js'
import type { Compress } from './compress.js'
import type { Endpoint } from './dispatcher.js'
import type { MultipartReader } from './multipart.js'
import type { PublicCaching } from './public-caching.js'
import type { AttemptLimit } from './rate-limit.js'
import type { HttpRequest, Method } from './route.js'
import { pathOf, searchOf } from './target-parts.js'
import type { Unsent } from './unsent.js'

/** What all endpoints are answered with. */
export type EndpointParts = Readonly<{
  access: Access
  readBody: BodyReader
  readMultipart: MultipartReader
  attempts: AttemptLimit
  /** In which requests that are no reads wait for their turn; reads have lines of their own. */
  writes: Line
  unsent: Unsent
  /** `api.rest.queryTimeoutMs`. */
  readTimeoutMs: number
  /** `api.rest.writeTimeoutMs`. */
  writeTimeoutMs: number
  /** What the time of a read is measured by. */
  clock: Clock
  /** How anybody may keep what is answered without credentials. */
  caching: PublicCaching | undefined
  /** Makes answers to reads smaller; undefined = they are sent as they are. */
  compress?: Compress | undefined
  /** What writes are refused with at present, because there is no room for them. */
  refusal?: (() => ApiError | undefined) | undefined
}>

/** A request for which routing has found an endpoint. */
export type Arrived = Readonly<{
  endpoint: Endpoint
  params: Readonly<Record<string, string>>
  request: Request
  response: Response
}>

/** The caller of an open endpoint, which is not told. */
const anybody: Caller = {
  kind: 'public',
  grant: { key: 'none', actions: new Set() },
}

/** Throws `unauthorized` or `forbidden` (`Access.authorize`). */
export const identify = (
  access: Access,
  endpoint: Endpoint,
  request: Request,
): Promise<Caller> | Caller =>
  endpoint.guard === 'open' ? anybody : access.authorize(endpoint.guard, request.headers)

/** What a handler is told beside what the Express request says. */
type Told = Omit<HttpRequest, 'id' | 'method' | 'isHead' | 'path' | 'search' | 'headers' | 'ip'>

export function toHttpRequest(request: Request, told: Told): HttpRequest {
  return {
    id: request.id,
    // Routing lets no other method through, and HEAD is answered as GET.
    method: request.method === 'HEAD' ? 'GET' : (request.method as Method),
    isHead: request.method === 'HEAD',
    path: pathOf(request.originalUrl),
    search: searchOf(request.originalUrl),
    headers: request.headers,
    // Found among the proxies' headers; few handlers ask.
    get ip() {
      return addressOf(request)
    },
    ...told,
  }
}
