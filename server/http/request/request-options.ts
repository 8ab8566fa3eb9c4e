import type { ReadRequest } from '../../content/documents.js'
import type { HttpRequest } from '../route.js'

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
