import { SpanKind, trace, context } from '@opentelemetry/api'
import {
  AlwaysOffSampler,
  BatchSpanProcessor,
  InMemorySpanExporter,
} from '@opentelemetry/sdk-trace-node'
import { expect } from 'chai'
import type { Route } from '../../../server/http/route.js'
import type { FollowRequest } from '../../../server/http/observe/watch-requests.js'
import { fail } from '../../../engine/errors.js'
import { openTracing } from '../../../server/tracing/open-tracing.js'
import { eventually } from '../database/support.js'
import { collectSpans, type CollectedSpans } from '../../support/collect-spans.js'
import { collectLines } from '../../support/log-lines.js'
import { startHttp, type RunningHttp } from '../../support/start-http.js'

describe('request span', () => {
  let began = (): void => undefined
  const stops: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const stop of stops.splice(0).toReversed()) await stop()
  })
  const collect = (...given: Parameters<typeof collectSpans>): CollectedSpans => {
    const spans = collectSpans(...given)
    stops.push(spans.stop)
    return spans
  }
  const serve = async (follow: FollowRequest | undefined, more: object = {}) => {
    const route = (path: string, handle: Route['handle']): Route => ({
      ...{ method: 'GET', path, guard: 'open', handle },
    })
    const routes = [
      route('/fails/:id', () => Promise.reject(new TypeError('the secret reason'))),
      route('/busy', () => Promise.reject(fail('unavailable', 'Too busy'))),
      route('/slow', () => {
        began()
        return new Promise(() => undefined)
      }),
    ]
    const http: RunningHttp = await startHttp({ routes, follow, ...more })
    stops.push(() => http.stop())
    return http
  }
  const only = async (spans: CollectedSpans, kind: SpanKind) => {
    const found = () => spans.all().filter((span) => span.kind === kind)
    await eventually(() => Promise.resolve(found().length > 0))
    expect(found()).to.have.length(1)
    const [span] = found()
    const attributes: Readonly<Record<string, unknown>> = { ...span?.attributes }
    return { name: span?.name, status: { ...span?.status }, attributes }
  }

  it('is not created without a registered SDK', async () => {
    expect(await openTracing()).to.equal(undefined)
  })

  it('is exported before the process ends', async () => {
    const exporter = new InMemorySpanExporter()
    const spans = collect(
      undefined,
      new BatchSpanProcessor(exporter, { scheduledDelayMillis: 60_000 }),
    )
    const tracing = await openTracing()
    const http = await serve(tracing?.follow)
    await http.send('GET', '/busy')
    await only(spans, SpanKind.SERVER)
    expect(exporter.getFinishedSpans()).to.deep.equal([])
    await tracing?.flush()
    expect(exporter.getFinishedSpans().map(({ name }) => name)).to.include('GET /busy')
  })

  it('is an error for a 500, and contains only the type of the error', async () => {
    const spans = collect()
    const http = await serve((await openTracing())?.follow)
    await http.send('GET', '/fails/1?secret=1', { headers: { 'X-Secret': 'secret' } })
    const { name, status, attributes } = await only(spans, SpanKind.SERVER)
    expect(name).to.equal('GET /fails/:id')
    expect(status).to.deep.equal({ code: 2 })
    expect(attributes).to.include({ 'error.type': 'TypeError', 'http.response.status_code': 500 })
    expect(JSON.stringify(attributes)).not.to.include('secret')
  })

  it('is an error for a 503', async () => {
    const spans = collect()
    const http = await serve((await openTracing())?.follow)
    await http.send('GET', '/busy')
    const { status, attributes } = await only(spans, SpanKind.SERVER)
    expect([status.code, attributes['error.type']]).to.deep.equal([2, '503'])
  })

  it('says that the client disconnected before the response', async () => {
    const spans = collect()
    const http = await serve((await openTracing())?.follow)
    const leaving = new AbortController()
    began = () => leaving.abort()
    await fetch(`${http.url}/slow`, { signal: leaving.signal }).catch(() => undefined)
    const { status, attributes } = await only(spans, SpanKind.SERVER)
    expect([status.code, attributes['quire.client.gone']]).to.deep.equal([0, true])
  })

  it('is not created for a request that is not sampled, and nothing is recorded', async () => {
    const spans = collect(new AlwaysOffSampler())
    const follow = (await openTracing())?.follow
    const followed: unknown[] = []
    const { log, lines } = collectLines()
    const http = await serve(
      (request) => {
        const followUp = follow?.(request)
        followed.push(followUp)
        return followUp
      },
      { log },
    )
    await http.send('GET', '/busy')
    expect(followed).to.deep.equal([undefined])
    expect(spans.all()).to.deep.equal([])
    expect(JSON.parse(lines[0] ?? '')).to.not.have.property('traceId')
  })

  it('has its trace id in the log if another instrumentation started the trace, sampled or not', async () => {
    collect(new AlwaysOffSampler())
    const follow = (await openTracing())?.follow
    const outer = trace.getTracer('test').startSpan('outer', { kind: SpanKind.SERVER })
    const { log, lines } = collectLines()
    const http = await serve(
      (request) => context.with(trace.setSpan(context.active(), outer), () => follow?.(request)),
      { log },
    )
    await http.send('GET', '/busy')
    expect(JSON.parse(lines[0] ?? '')).to.include({ traceId: outer.spanContext().traceId })
  })

  it('follows the sampling decision of the caller', async () => {
    const spans = collect()
    const http = await serve((await openTracing())?.follow)
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
    const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-00` }
    await http.send('GET', '/busy', { headers })
    await http.send('GET', '/fails/1')
    const { name } = await only(spans, SpanKind.SERVER)
    expect(name).to.equal('GET /fails/:id')
  })

  it('is a child of the span that another instrumentation started', async () => {
    const spans = collect()
    const follow = (await openTracing())?.follow
    const outer = trace.getTracer('test').startSpan('outer', { kind: SpanKind.SERVER })
    const http = await serve((request) =>
      context.with(trace.setSpan(context.active(), outer), () => follow?.(request)),
    )
    await http.send('GET', '/busy')
    outer.end()
    await eventually(() => Promise.resolve(spans.all().some(({ name }) => name === 'GET /busy')))
    const inner = spans.all().find(({ name }) => name === 'GET /busy')
    expect(inner?.kind).to.equal(SpanKind.INTERNAL)
    expect(inner?.parentSpanContext?.spanId).to.equal(outer.spanContext().spanId)
  })
})
