import {
  context,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  type ProxyTracerProvider,
  type Span,
  type Tracer,
} from '@opentelemetry/api'
import { setTimeout as sleep } from 'node:timers/promises'
import { preciseNow } from '../../engine/steady-now.js'
import type { SentCommand, Stage } from '../../engine/timeline.js'
import { pathOf } from '../http/target-parts.js'
import type { FollowRequest, SeenRequest } from '../http/watch-requests.js'
import { recordedParts } from './record-spans.js'

export type Tracing = NonNullable<ReturnType<typeof traceRequests>>

/**
 * Makes spans of requests (docs/logs-and-traces.md, "Traces"): one of each, and where it is sampled one of each of its
 * stages and commands, all of them when it is over. Undefined where no SDK is registered: then there is nothing to do.
 */
export function traceRequests() {
  const provider = registeredProvider()
  if (provider === undefined) return undefined
  return {
    follow: followWith(trace.getTracer('quire')),
    /** Has the SDK export what it holds, for two seconds at most. */
    flush: async (): Promise<unknown> =>
      Promise.race([provider.forceFlush?.(), sleep(flushMs, undefined, { ref: false })]),
  }
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
    const { method } = request
    const isKnown = methods.has(method)
    const span = tracer.startSpan(
      isKnown ? method : 'HTTP',
      {
        kind: outer === undefined ? SpanKind.SERVER : SpanKind.INTERNAL,
        attributes: {
          'http.request.method': isKnown ? method : '_OTHER',
          'url.path': path,
          'url.scheme': request.protocol,
          'network.protocol.version': request.httpVersion,
        },
      },
      outer === undefined ? propagation.extract(active, request.headers) : active,
    )
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

/** What asks for them asks every few seconds. */
const unwatched: ReadonlySet<string> = new Set(['/_health', '/_ready'])

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
    'quire.client.gone': isComplete ? undefined : true,
    'quire.commands.untold': timeline.moreCommands || undefined,
    'error.type': status < 500 ? undefined : (error?.name ?? String(status)),
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
    const { of } = part
    const { name, ...options } = of.is === 'stage' ? stageSpan(of.stage) : commandSpan(of.command)
    const span = tracer.startSpan(
      name,
      { ...options, startTime: part.from + epoch },
      trace.setSpan(context.active(), parent),
    )
    if (of.is === 'command' && of.command.failed) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(part.to + epoch)
    spans.push(span)
  }
}

const stageSpan = ({ name }: Stage) => ({ name, kind: SpanKind.INTERNAL })

/** By the semantic conventions for databases; of what is asked nothing is told. */
const commandSpan = ({ kind, collection, failed }: SentCommand) => ({
  name: collection === '' ? kind : `${kind} ${collection}`,
  kind: SpanKind.CLIENT,
  attributes: {
    'db.system.name': 'mongodb',
    'db.operation.name': kind,
    'db.collection.name': collection || undefined,
    'error.type': failed ? '_OTHER' : undefined,
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
