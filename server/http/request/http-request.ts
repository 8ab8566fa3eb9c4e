import type { Request, Response } from 'express'
import { fail } from '../../../engine/errors.js'
import type { ReadRequest } from '../../content/documents.js'
import type { Endpoint, HttpRequest, Method } from '../route.js'
import { addressOf } from './request-client.js'
import { pathOf, searchOf } from './target.js'

/** A request for which routing has found an endpoint. */
export type Arrived = Readonly<{
  endpoint: Endpoint
  params: Readonly<Record<string, string>>
  request: Request
  response: Response
}>

/** The members of `HttpRequest` that do not come from the Express request. */
type RequestParts = Pick<HttpRequest, 'body' | 'files' | 'caller' | 'client' | 'signal'> &
  Partial<Pick<HttpRequest, 'prepared' | 'time' | 'countsAccount' | 'outlasts' | 'logError'>>

/** Returns the request as handlers see it. */
export function toHttpRequest(
  { params, request, response }: Arrived,
  parts: RequestParts,
): HttpRequest {
  return {
    id: request.id,
    // Routing has already rejected all other methods. A HEAD is handled like a GET.
    method: request.method === 'HEAD' ? 'GET' : (request.method as Method),
    isHead: request.method === 'HEAD',
    path: pathOf(request.originalUrl),
    params,
    search: searchOf(request.originalUrl),
    headers: request.headers,
    // A getter, because few handlers need the address, and finding it in the proxies' headers takes time.
    get ip() {
      return addressOf(request)
    },
    timeline: response.timeline,
    ignored: noteIgnored(response),
    ...parts,
  }
}

const header = 'Quire-Ignored'
const maxLength = 1000
/** Maximum number of different ignored names per request, because comparing each with all known names takes time. */
const maxNames = 1000

/**
 * Returns a function that adds a name to the header `Quire-Ignored: foo, data.seo.foo, ... and 12 more`
 * (docs/internals/decisions.md, "Profiles"). The function throws `limit-exceeded` above 1,000 names.
 */
function noteIgnored(response: Response): (name: string) => void {
  const names = new Set<string>()
  const shown: string[] = []
  let length = 0
  return (name) => {
    if (names.has(name)) return
    if (names.size === maxNames)
      throw fail('limit-exceeded', {
        what: 'The number of unknown keys and parameters',
        bound: 'unknown names',
        limit: maxNames,
      })
    names.add(name)
    const encoded = encodeName(name)
    if (length + encoded.length <= maxLength) {
      shown.push(encoded)
      length += encoded.length + 2
    }
    if (response.headersSent) return
    const beyond = names.size - shown.length
    const more = beyond === 0 ? [] : [`... and ${beyond} more`]
    response.setHeader(header, [...shown, ...more].join(', '))
  }
}

/**
 * Percent-encodes a name, except `$`, `[` and `]`. First repairs invalid Unicode, for which `encodeURIComponent` would
 * throw.
 */
const encodeName = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(/%(24|5B|5D)/g, decodeURIComponent)

type RequestOptions = Pick<HttpRequest, 'signal' | 'client' | 'ignored' | 'timeline'> &
  Readonly<{
    /** Whether the request has no credentials, so that public caches may store its response. */
    isForAnybody: boolean
  }>

/**
 * Options of a read by a built-in route. Without a request that causes the read, those of `RequestOptions` are absent.
 */
export type RequestedRead = Pick<ReadRequest, 'search' | 'grant' | 'defaultPopulate'> &
  Partial<RequestOptions>

/** Returns the options of a read that come from its request. */
export const requestOptionsOf = ({
  signal,
  client,
  ignored,
  timeline,
  headers,
}: HttpRequest): RequestOptions => ({
  signal,
  client,
  ignored,
  timeline,
  isForAnybody: headers.authorization === undefined,
})

export const requestedRead = (request: HttpRequest) => ({
  search: request.search,
  grant: request.caller.grant,
  ...requestOptionsOf(request),
})
