import type { ReadRequest } from '../../content/documents.js'
import type { HttpRequest } from '../route.js'

/** The options of a read that come from its request, whichever feature handles it. */
type RequestOptions = Pick<HttpRequest, 'signal' | 'client' | 'ignored' | 'timeline'> &
  Readonly<{
    /** Whether the request has no credentials. */
    isForAnybody: boolean
  }>

/** Options of a read by built-in routes. Without a request the members of `Asking` are absent. */
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
