import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
  type ReadableSpan,
  type Sampler,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-node'

/** A span with its child spans, in the order in which they began. */
export type SpanTree = Readonly<{
  name: string
  kind: string
  /** Omitted if the span's status is unset. */
  status?: string
  attributes: Readonly<Record<string, unknown>>
  within: readonly SpanTree[]
}>

export type CollectedSpans = Readonly<{
  /**
   * Returns the spans of a trace. Undefined until the root span has ended, which must be a server span of this process.
   */
  treeOf: (traceId: string) => SpanTree | undefined
  all: () => readonly ReadableSpan[]
  stop: () => Promise<void>
}>

/** Registers OpenTelemetry's SDK as an operator would, with an exporter that keeps all spans in memory. */
export function collectSpans(
  sampler?: Sampler,
  ...further: readonly SpanProcessor[]
): CollectedSpans {
  const exporter = new InMemorySpanExporter()
  const provider = new NodeTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(exporter), ...further],
    ...(sampler === undefined ? {} : { sampler }),
  })
  provider.register()
  const all = () => exporter.getFinishedSpans()
  return {
    all,
    treeOf: (traceId) => {
      const spans = all().filter((span) => span.spanContext().traceId === traceId)
      const ids = new Set(spans.map((span) => span.spanContext().spanId))
      const root = spans.find(({ parentSpanContext }) => !ids.has(parentSpanContext?.spanId ?? ''))
      return root?.kind === SpanKind.SERVER ? withParts(root, spans) : undefined
    },
    stop: async () => {
      await provider.shutdown()
      trace.disable()
      context.disable()
      propagation.disable()
    },
  }
}

function withParts(span: ReadableSpan, all: readonly ReadableSpan[]): SpanTree {
  const { spanId } = span.spanContext()
  const parts = all.filter(({ parentSpanContext }) => parentSpanContext?.spanId === spanId)
  return {
    name: span.name,
    kind: SpanKind[span.kind],
    ...(span.status.code === SpanStatusCode.UNSET
      ? {}
      : { status: SpanStatusCode[span.status.code] }),
    attributes: span.attributes,
    within: parts
      .toSorted((a, b) => nanoseconds(a) - nanoseconds(b))
      .map((part) => withParts(part, all)),
  }
}

const nanoseconds = ({ startTime: [seconds, rest] }: ReadableSpan): number =>
  (seconds % 1e6) * 1e9 + rest

/**
 * Returns a line for each span, indented below its parent. Sorts commands by name, because their order varies if they
 * are concurrent.
 */
export function outlineOf({ kind, name, within }: SpanTree): readonly string[] {
  const isSent = within.every((part) => part.kind === 'CLIENT')
  const parts = isSent ? within.toSorted((a, b) => a.name.localeCompare(b.name)) : within
  return [`${kind} ${name}`, ...parts.flatMap(outlineOf).map((line) => `  ${line}`)]
}

/** Returns the attributes of the first span that has this name. */
export function attributesOf(tree: SpanTree, name: string): SpanTree['attributes'] | undefined {
  if (tree.name === name) return tree.attributes
  for (const part of tree.within) {
    const found = attributesOf(part, name)
    if (found !== undefined) return found
  }
  return undefined
}
