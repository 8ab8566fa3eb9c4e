import { ApiError, fail, notDone } from '../../../engine/errors.js'
import type { ContentType } from '../../../engine/schema/content-type.js'
import { allows } from '../../../engine/schema/grant.js'
import { startWriteTime } from '../../../engine/write-time.js'
import { lacking } from '../../accounts/lacking.js'
import type { Endpoint, HttpRequest, Reply } from '../../http/route.js'
import { errorReply, toApiError } from '../../http/response/error-reply.js'
import type { Settings } from '../../settings/settings.js'
import { type CollectionEndpoints, type UsedDocuments, collectionEndpoints } from '../endpoints.js'
import { withWriteCallback } from './operation-documents.js'
import type { Operation } from './parse-operations.js'
import type { Ended } from './outcomes-of.js'

/** An operation, or the error of an invalid one. */
export type Parsed = Operation | ApiError

export type Running = Readonly<{
  documents: UsedDocuments
  type: ContentType
  settings: Settings
  request: HttpRequest
  /** Time on the clock of `performance.now` after which no operation begins. */
  until: number
}>

/** `ended` may resolve later than `reply`, which is an error if the deadline passes first. */
export type Ran = Readonly<{ reply: Reply; ended: Promise<Ended> }>

/** In milliseconds. With less time left, an operation does not begin, because timers may fire slightly early. */
const leastMs = 5

/** Runs an operation as its own endpoint would. An error becomes the reply; an unexpected one (500) is also logged. */
export async function runOperation(running: Running, parsed: Parsed): Promise<Ran> {
  const { request } = running
  let ended: Promise<Ended> | undefined
  try {
    if (parsed instanceof ApiError) throw parsed
    const begun = beginOperation(running, parsed)
    ended = begun.ended
    return { reply: await begun.reply, ended }
  } catch (error) {
    // If the client has disconnected, the document is written but not read back. Do not log that as an error.
    const hasLeft = request.signal.aborted && error === request.signal.reason
    if (!hasLeft && toApiError(error).code === 'internal') request.logError?.(error)
    const shown = hasLeft ? fail('unavailable', 'The client has disconnected') : error
    const reply = errorReply(shown)
    return { reply, ended: ended ?? Promise.resolve({ wrote: false, thrown: shown }) }
  }
}

/** Starts an operation. Throws if it is not permitted, no time is left, or the client has disconnected. */
function beginOperation(
  { documents, type, settings, request, until }: Running,
  operation: Operation,
): Readonly<{ reply: Promise<Reply>; ended: Promise<Ended> }> {
  const timeoutMs = settings['api.rest.writeTimeoutMs']
  const { op, documentId, data, ifMatch } = operation
  let wrote = false
  const noted = withWriteCallback(documents, () => (wrote = true))
  const endpoint = endpointOf(collectionEndpoints(noted, type, documentId), op)
  checkGranted(request, type, endpoint)
  const left = until - performance.now()
  if (left < leastMs)
    throw notDone(
      'The time limit was reached (api.rest.writeTimeoutMs). The operation was not done',
    )
  // Nothing was done, so the client can send the operation again.
  if (request.signal.aborted)
    throw notDone('The client has disconnected. The operation was not done')
  const time = startWriteTime(timeoutMs, left)
  const own: HttpRequest = {
    ...request,
    time,
    search: searchOf(request.search, operation),
    // The operation has an `If-Match` of its own. The `Idempotency-Key` belongs to the whole request.
    headers: { ...request.headers, 'if-match': ifMatch, 'idempotency-key': undefined },
    body: data === undefined ? {} : { data },
  }
  const handled = (async () => endpoint.handle(own))()
  return {
    reply: time.within(() => handled),
    ended: handled.then(
      () => ({ wrote }),
      (thrown: unknown) => ({ wrote, thrown }),
    ),
  }
}

function endpointOf(endpoints: CollectionEndpoints, op: Operation['op']): Endpoint {
  switch (op) {
    case 'create':
    case 'update':
      return endpoints[op]
    case 'delete':
      return endpoints.remove
    case 'publish':
    case 'unpublish':
    case 'discard-draft':
      return endpoints.act(op)
  }
}

/**
 * Throws unless the caller has permission for the operation's own endpoint, or at least to write drafts there. The
 * endpoint itself then rejects writes of anything but drafts.
 */
function checkGranted({ caller }: HttpRequest, type: ContentType, { guard }: Endpoint): void {
  if (typeof guard === 'string') return
  const verbs = [guard.action, ...(guard.draftAction === undefined ? [] : [guard.draftAction])]
  const isGranted = verbs.some((action) =>
    allows(caller.grant, type.uid, action.slice(type.uid.length + 1)),
  )
  if (!isGranted) throw lacking(caller, guard.action)
}

function searchOf(search: string, { status, locale }: Operation): string {
  const own = Object.entries({ status, locale }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, `${name}=${encodeURIComponent(value)}`] as const],
  )
  const names = new Set<string | undefined>(own.map(([name]) => name))
  // Replace parameters of the query string by those that the operation has itself.
  const ofAll = search.split('&').filter((piece) => piece !== '' && !names.has(nameOf(piece)))
  return [...ofAll, ...own.map(([, text]) => text)].join('&')
}

const nameOf = (piece: string): string | undefined => /^[^=[%]*/.exec(piece)?.[0]
