import {
  context,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type ProxyTracerProvider,
  type Span,
  type Tracer,
} from '@opentelemetry/api'
import { preciseNow } from '../../engine/steady-now.js'
import { pathOf } from '../http/target-parts.js'
import type { FollowRequest, SeenRequest } from '../http/watch-requests.js'
import { recordedParts, type Part } from './record-spans.js'

export type Tracing = Readonly<{
  follow: FollowRequest
  /** Has the SDK export what it holds, for two seconds at most. */
  flush: () => Promise<unknown>
}>

/**
 * Makes spans of requests (docs/logs-and-traces.md, "Traces"): one of each, and where it is sampled one of each of its
 * stages and commands, all of them when it is over. Undefined where no SDK is registered: then there is nothing to do.
 */
export function traceRequests(): Tracing | undefined {
  const provider = registeredProvider()
  if (provider === undefined) return undefined
  return { follow: followWith(trace.getTracer('quire')), flush: () => flush(provider) }
}

/** Each request becomes a span when it begins. */
const followWith =
  (tracer: Tracer): FollowRequest =>
  (request) => {
    const path = pathOf(request.url)
    if (unwatched.has(path)) return undefined
    const active = context.active()
    // An SDK may have begun a span of the same request, where it instruments Node's server.
    const outer = trace.getSpan(active)
    const span = beginSpan(tracer, request, path, { active, isWithin: outer !== undefined })
    if (!span.isRecording()) {
      // The id of a trace that began here and that nobody keeps is known to nobody: it would only make logs longer.
      request.traceId ??= outer?.spanContext().traceId
      return undefined
    }
    request.traceId = span.spanContext().traceId
    // The record goes by a clock of its own, which does not jump.
    const epoch = Date.now() - preciseNow()
    return (seen) => {
      tellRequest(span, seen)
      tellParts(tracer, span, seen, epoch)
      span.end(seen.to + epoch)
    }
  }

type Provider = Readonly<{ forceFlush?: () => Promise<void> }>

/** That of an SDK; the API, of which there may be several copies, hides it behind one of its own. */
function registeredProvider(): Provider | undefined {
  const provider = trace.getTracerProvider() as Partial<ProxyTracerProvider>
  if (provider.getDelegateTracer?.('quire') === undefined) return undefined
  return provider.getDelegate?.() as Provider | undefined
}

const flushMs = 2_000

async function flush(provider: Provider): Promise<unknown> {
  const end = new Promise((resolve) => setTimeout(resolve, flushMs).unref())
  return Promise.race([provider.forceFlush?.(), end])
}

/** What asks for them asks every few seconds. */
const unwatched: ReadonlySet<string> = new Set(['/_health', '/_ready'])

function beginSpan(
  tracer: Tracer,
  request: Followed,
  path: string,
  { active, isWithin }: Readonly<{ active: Context; isWithin: boolean }>,
): Span {
  const { method } = request
  const isKnown = methods.has(method)
  return tracer.startSpan(
    isKnown ? method : 'HTTP',
    {
      kind: isWithin ? SpanKind.INTERNAL : SpanKind.SERVER,
      attributes: {
        'http.request.method': isKnown ? method : '_OTHER',
        'url.path': path,
        'url.scheme': request.protocol,
        'network.protocol.version': request.httpVersion,
      },
    },
    isWithin ? active : propagation.extract(active, request.headers),
  )
}

type Followed = Parameters<FollowRequest>[0]

function tellRequest(
  span: Span,
  { id, method, route, status, isComplete, error, timeline }: SeenRequest,
) {
  if (route !== undefined && methods.has(method)) span.updateName(`${method} ${route.pattern}`)
  span.setAttributes({
    'http.response.status_code': status,
    'quire.request.id': id,
    'http.route': route?.pattern,
    'quire.content_type': route?.type,
    ...(isComplete ? {} : { 'quire.client.gone': true }),
    ...(timeline.moreCommands === 0 ? {} : { 'quire.commands.untold': timeline.moreCommands }),
    ...(status < 500 ? {} : { 'error.type': error?.name ?? String(status) }),
  })
  // What a client did wrong is no error of the server.
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
}

function tellParts(
  tracer: Tracer,
  whole: Span,
  { timeline, to }: SeenRequest,
  epoch: number,
): void {
  const spans: Span[] = []
  for (const part of recordedParts(timeline, to)) {
    const parent = part.within === undefined ? whole : (spans[part.within] ?? whole)
    const { name, kind, attributes } =
      part.of.is === 'stage' ? stageSpan(part.of) : commandSpan(part.of)
    const span = tracer.startSpan(
      name,
      { kind, attributes, startTime: part.from + epoch },
      trace.setSpan(context.active(), parent),
    )
    if (part.of.is === 'command' && part.of.command.failed)
      span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(part.to + epoch)
    spans.push(span)
  }
}

type Of<Is> = Extract<Part['of'], { is: Is }>
type Shape = Readonly<{ name: string; kind: SpanKind; attributes: Attributes }>

const stageSpan = ({ stage }: Of<'stage'>): Shape => ({
  name: stage.name,
  kind: SpanKind.INTERNAL,
  attributes: {},
})

/** By the semantic conventions for databases; of what is asked nothing is told. */
const commandSpan = ({ command: { kind, collection, failed } }: Of<'command'>): Shape => ({
  name: collection === '' ? kind : `${kind} ${collection}`,
  kind: SpanKind.CLIENT,
  attributes: {
    'db.system.name': 'mongodb',
    'db.operation.name': kind,
    ...(collection === '' ? {} : { 'db.collection.name': collection }),
    ...(failed ? { 'error.type': '_OTHER' } : {}),
  },
})

/** Those that the semantic conventions know. */
const methods: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'CONNECT',
  'TRACE',
])
