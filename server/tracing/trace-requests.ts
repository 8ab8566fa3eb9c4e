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
import { preciseNow } from '../../engine/monotonic-now.js'
import type { SentCommand, Stage } from '../../engine/timeline.js'
import { pathOf } from '../http/request/target.js'
import type { FollowRequest, SeenRequest } from '../http/observe/watch-requests.js'
import { recordedParts } from './record-spans.js'

export type Tracing = NonNullable<ReturnType<typeof traceRequests>>

/**
 * Creates spans (docs/logs-and-traces.md, "Traces") for the request and, if sampled, for its stages and commands when
 * it has finished. Returns undefined without a registered SDK.
 */
export function traceRequests() {
  const provider = registeredProvider()
  if (provider === undefined) return undefined
  return {
    follow: followWith(trace.getTracer('quire')),
    /** Exports buffered spans, for at most two seconds. */
    flush: async (): Promise<unknown> =>
      Promise.race([provider.forceFlush?.(), sleep(flushMs, undefined, { ref: false })]),
  }
}

/** Returns a function that starts a span when a request begins. */
const followWith =
  (tracer: Tracer): FollowRequest =>
  (request) => {
    const path = pathOf(request.url)
    if (unwatched.has(path)) return undefined
    const active = context.active()
    // An SDK that instruments Node's HTTP server may have started a span for this request.
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
      // The span is not sampled. If its trace began here, it is not exported, so do not log its id.
      request.traceId ??= outer?.spanContext().traceId
      return undefined
    }
    request.traceId = span.spanContext().traceId
    // The timeline's clock is monotonic, so convert its times to Unix time.
    const epoch = Date.now() - preciseNow()
    return (seen) => {
      setAttributes(span, seen)
      addChildSpans(tracer, span, seen, epoch)
      span.end(seen.to + epoch)
    }
  }

type Provider = Readonly<{ forceFlush?: () => Promise<void> }>

/** Returns the SDK's provider, which the API hides behind a proxy; undefined if no SDK is registered. */
function registeredProvider(): Provider | undefined {
  const provider = trace.getTracerProvider() as Partial<ProxyTracerProvider>
  if (provider.getDelegateTracer?.('quire') === undefined) return undefined
  return provider.getDelegate?.() as Provider | undefined
}

const flushMs = 2_000

/** Probes, which get no spans because they are called every few seconds. */
const unwatched: ReadonlySet<string> = new Set(['/_health', '/_ready'])

function setAttributes(
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
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
}

function addChildSpans(
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

/**
 * Returns the name and attributes of a command's span, by OpenTelemetry's semantic conventions for databases, without
 * the content of the command.
 */
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

/** Defined by OpenTelemetry's semantic conventions. */
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
