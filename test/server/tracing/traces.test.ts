import { SpanKind } from '@opentelemetry/api'
import { expect } from 'chai'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'
import { collectLines } from '../../support/log-lines.js'
import {
  attributesOf,
  collectSpans,
  outlineOf,
  type CollectedSpans,
  type SpanTree,
} from '../../support/collect-spans.js'
import { eventually } from '../database/support.js'
import { testDatabaseUri } from '../../support/database.js'

describe('traces', function () {
  this.timeout(60_000)
  const { log, lines } = collectLines()
  let spans: CollectedSpans
  let app: TestApp
  let pooled: TestApp
  before(async () => {
    spans = collectSpans()
    const databaseUri = await testDatabaseUri()
    app = await startApp({ databaseUri, log, settings: { 'pool.costThreshold': 1_000_000 } })
    pooled = await startApp({ databaseUri, settings: { 'pool.costThreshold': 0 } })
  })
  after(async () => {
    await app?.stop()
    await pooled?.stop()
    await spans?.stop()
  })

  let traces = 0
  const traced = async (
    to: TestApp,
    method: string,
    path: string,
    more: Parameters<TestApp['request']>[2] = {},
  ) => {
    traces += 1
    const traceId = traces.toString(16).padStart(32, 'a')
    const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
    const answer = await to.request(method, path, { token: to.token, ...more, headers })
    await eventually(() => Promise.resolve(spans.treeOf(traceId) !== undefined))
    const tree = spans.treeOf(traceId) as SpanTree
    return { answer, tree, traceId }
  }
  const route = (method: string, status: number) => ({
    ...{ 'http.request.method': method, 'http.response.status_code': status },
    ...{ 'http.route': '/api/:type', 'url.path': '/api/tags', 'url.scheme': 'http' },
    ...{ 'network.protocol.version': '1.1', 'quire.content_type': 'api::tag.tag' },
  })
  /** The stages of every read before it is executed. */
  const understood = ['authorize', 'parse', 'resolve', 'plan', 'plan']

  it('have a span for each stage and command of a cheap read', async () => {
    const { answer, tree } = await traced(app, 'GET', '/api/tags?pagination[pageSize]=2')
    expect(answer.status).to.equal(200)
    expect(outlineOf(tree)).to.deep.equal([
      'SERVER GET /api/:type',
      ...understood.map((stage) => `  INTERNAL ${stage}`),
      '  INTERNAL execute',
      '    CLIENT aggregate tags',
      '    CLIENT find tags',
      '  INTERNAL shape',
      '  INTERNAL send',
    ])
    expect(tree.attributes).to.deep.equal({
      ...route('GET', 200),
      'quire.request.id': answer.headers.get('x-request-id'),
    })
    expect(attributesOf(tree, 'find tags')).to.deep.equal({
      ...{ 'db.system.name': 'mongodb', 'db.operation.name': 'find', 'db.collection.name': 'tags' },
    })
    expect(attributesOf(tree, 'execute')).to.deep.equal({})
  })

  it('have the spans of a read in a worker thread', async () => {
    const { tree } = await traced(pooled, 'GET', '/api/tags?pagination[pageSize]=3')
    expect(outlineOf(tree)).to.deep.equal([
      'SERVER GET /api/:type',
      ...understood.map((stage) => `  INTERNAL ${stage}`),
      '  INTERNAL thread',
      '    INTERNAL execute',
      '      CLIENT aggregate tags',
      '      CLIENT find tags',
      '    INTERNAL shape',
      '  INTERNAL send',
    ])
  })

  it('have the steps of a write, and the read of its response', async () => {
    const body = { data: { name: 'A secret' } }
    const { answer, tree } = await traced(app, 'POST', '/api/tags', { body })
    expect(answer.status).to.equal(201)
    const outline = outlineOf(tree)
    expect(outline[0]).to.equal('SERVER POST /api/:type')
    const stages = ['receive', 'authorize', 'queue', 'look-up', 'rules', 'change', 'steps']
    for (const stage of [...stages, 'read-back', 'send'])
      expect(outline).to.include(`  INTERNAL ${stage}`)
    // Both versions are stored, each with one command, also if a transaction contains both.
    for (const collection of ['tags', 'tags.draft'])
      expect(
        outline.filter((line) => line.trim() === `CLIENT insert ${collection}`),
      ).to.have.length(1)
    expect(JSON.stringify(tree)).not.to.include('secret')
  })

  it('have the same spans for users and files', async () => {
    const user = { username: 'ada', email: 'ada@example.com', password: 'Lovelace1' }
    for (const [method, path, body, command] of [
      ['POST', '/api/users', { ...user, role: 1 }, 'insert users'],
      ['GET', '/api/users', undefined, 'find users'],
      ['GET', '/api/users/count', undefined, 'aggregate users'],
      ['GET', '/api/upload/files', undefined, 'find upload_files'],
    ] as const) {
      const { answer, tree } = await traced(app, method, path, body === undefined ? {} : { body })
      expect(answer.status, path).to.be.oneOf([200, 201])
      const outline = outlineOf(tree)
      const stage = method === 'GET' ? 'execute' : 'steps'
      expect(outline, path).to.include(`  INTERNAL ${stage}`)
      expect(outline, path).to.include(`    CLIENT ${command}`)
    }
  })

  it('contain a refused request, which is not an error', async () => {
    const { answer, tree } = await traced(app, 'GET', '/api/tags?sort=nmae&secret=1')
    expect(outlineOf(tree)).to.deep.equal([
      'SERVER GET /api/:type',
      ...['authorize', 'parse', 'send'].map((stage) => `  INTERNAL ${stage}`),
    ])
    expect(tree.attributes).to.deep.equal({
      ...route('GET', 400),
      'quire.request.id': answer.headers.get('x-request-id'),
    })
  })

  it('have no path in the name of a span without a route', async () => {
    const { tree } = await traced(app, 'GET', '/api/nothing')
    expect(tree.name).to.equal('GET')
    expect(tree.attributes).to.include({ 'http.response.status_code': 404 })
    expect(tree.attributes).not.to.have.property('http.route')
  })

  it('have spans within the time of their request', async () => {
    const { traceId } = await traced(pooled, 'GET', '/api/tags?pagination[pageSize]=4')
    const all = spans.all().filter((span) => span.spanContext().traceId === traceId)
    const at = ([seconds, nanos]: readonly [number, number]): number => seconds * 1000 + nanos / 1e6
    const root = all.find(({ kind }) => kind === SpanKind.SERVER)
    expect(root).not.to.equal(undefined)
    // The start of a span is only precise to one millisecond.
    for (const { name, startTime, endTime } of all) {
      expect(at(startTime), name).to.be.at.least(at(root?.startTime ?? [Infinity, 0]) - 1.5)
      expect(at(endTime), name).to.be.at.most(at(root?.endTime ?? [0, 0]) + 0.1)
      expect(at(endTime), name).to.be.at.least(at(startTime))
    }
  })

  it('have their ids in the log, even if the trace starts in this service', async () => {
    const { traceId } = await traced(app, 'GET', '/api/tags')
    const lastLine = () => JSON.parse(lines.at(-1) ?? '') as { traceId: string }
    expect(lastLine().traceId).to.equal(traceId)
    await app.request('GET', '/api/tags', { token: app.token })
    const begun = lastLine().traceId
    expect(begun)
      .to.match(/^[\da-f]{32}$/)
      .and.not.to.equal(traceId)
    await eventually(() => Promise.resolve(spans.treeOf(begun) !== undefined))
  })

  it('exclude health checks', async () => {
    const count = spans.all().length
    for (const path of ['/_health', '/_ready']) await app.request('GET', path)
    await traced(app, 'GET', '/api/nothing')
    const names = spans
      .all()
      .slice(count)
      .map(({ name }) => name)
    expect(names).to.deep.equal(['send', 'GET'])
  })
})
