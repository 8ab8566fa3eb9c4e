import { ApiError, fail, notDone } from '../../../engine/errors.js'
import type { ContentType } from '../../../engine/schema/content-type.js'
import { allows } from '../../../engine/schema/grant.js'
import { startWriteTime } from '../../../engine/write/write-time.js'
import { lacking } from '../../accounts/lacking.js'
import type { Endpoint } from '../../http/dispatcher.js'
import { errorReply, toApiError } from '../../http/error-reply.js'
import type { HttpRequest, Reply } from '../../http/route.js'
import type { Settings } from '../../settings/settings.js'
import type { Endpoints, UsedDocuments } from '../endpoints.js'
import { collectionEndpoints } from '../endpoints.js'
import { noting } from './operation-documents.js'
import type { Operation } from './parse-operations.js'
import type { Ended } from './what-became.js'

/** An operation, or why it is none. */
export type Parsed = Operation | ApiError

export type Running = Readonly<{
  documents: UsedDocuments
  type: ContentType
  settings: Settings
  request: HttpRequest
  /** By `performance.now`: what has not begun then does not begin. */
  until: number
}>

/** What an operation is answered with, and how it ends, which may be later than its time is over. */
export type Ran = Readonly<{ reply: Reply; ended: Promise<Ended> }>

/** With less time than this, in milliseconds, nothing is begun: timers go off a little before their time. */
const leastMs = 5

/** Answers as its endpoint does, or with an error's reply; a fault of ours is told to the request, whose log has it. */
export async function runOperation(running: Running, parsed: Parsed): Promise<Ran> {
  const { request } = running
  let ended: Promise<Ended> | undefined
  try {
    if (parsed instanceof ApiError) throw parsed
    const begun = beginOperation(running, parsed)
    ended = begun.ended
    return { reply: await begun.reply, ended }
  } catch (error) {
    // What was done of it is not read any more for a client that has left.
    const hasLeft = request.signal.aborted && error === request.signal.reason
    if (!hasLeft && toApiError(error).code === 'internal') request.fault?.(error)
    const shown = hasLeft ? fail('unavailable', 'The client has left') : error
    const reply = errorReply(shown)
    return { reply, ended: ended ?? Promise.resolve({ wrote: false, thrown: shown }) }
  }
}

/** Throws where it may not be begun. */
function beginOperation(
  { documents, type, settings, request, until }: Running,
  operation: Operation,
): Readonly<{ reply: Promise<Reply>; ended: Promise<Ended> }> {
  const timeoutMs = settings['api.rest.writeTimeoutMs']
  const { op, documentId, data, ifMatch } = operation
  let wrote = false
  const noted = noting(documents, () => (wrote = true))
  const endpoint = endpointOf(collectionEndpoints(noted, type, documentId), op)
  checkGranted(request, type, endpoint)
  const left = until - performance.now()
  if (left < leastMs)
    throw notDone('There is no time left (api.rest.writeTimeoutMs). It was not done')
  // What has not begun can be asked for again.
  if (request.signal.aborted) throw notDone('The client has left. It was not done')
  const time = startWriteTime(timeoutMs, left)
  const own: HttpRequest = {
    ...request,
    time,
    search: searchOf(request.search, operation),
    // Those that are about one document, or about the whole, are not each one's.
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

function endpointOf(endpoints: Endpoints, op: Operation['op']): Endpoint {
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

/** As before a request of its own; who may write drafts alone is looked at once more by the endpoint. */
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
  const said = new Set<string | undefined>(own.map(([name]) => name))
  // What the operation says itself stands in the place of what the query string says.
  const ofAll = search.split('&').filter((piece) => piece !== '' && !said.has(nameOf(piece)))
  return [...ofAll, ...own.map(([, text]) => text)].join('&')
}

const nameOf = (piece: string): string | undefined => /^[^=[%]*/.exec(piece)?.[0]
