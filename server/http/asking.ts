import type { ReadRequest } from '../content/documents.js'
import type { HttpRequest } from './route.js'

/** What a read is told of the request that it is for, whichever feature answers it. */
type Asking = Pick<HttpRequest, 'signal' | 'asker' | 'ignored' | 'timeline'> &
  Readonly<{
    /** Whether it came without credentials. */
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
