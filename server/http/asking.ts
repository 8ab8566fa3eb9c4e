import type { ReadRequest } from '../content/documents.js'
import type { HttpRequest } from './route.js'

/** The options of a read that come from its request, whichever feature handles it. */
type Asking = Pick<HttpRequest, 'signal' | 'asker' | 'ignored' | 'timeline'> &
  Readonly<{
    /** Whether the request has no credentials. */
    isForAnybody: boolean
  }>

/** Options of a read by built-in routes. Without a request the members of `Asking` are absent. */
export type AskedRead = Pick<ReadRequest, 'search' | 'grant' | 'defaultPopulate'> & Partial<Asking>

export const askingOf = ({ signal, asker, ignored, timeline, headers }: HttpRequest): Asking => ({
  signal,
  asker,
  ignored,
  timeline,
  isForAnybody: headers.authorization === undefined,
})

export const askedBy = (request: HttpRequest) => ({
  search: request.search,
  grant: request.caller.grant,
  ...askingOf(request),
})
