import { Writable } from 'node:stream'
import { expect } from 'chai'
import { type Endpoint, type Route, reply } from '../../../../server/http/route.js'
import { fail } from '../../../../engine/errors.js'
import { startHttp, type RunningHttp } from '../../../support/start-http.js'

type Line = Readonly<{
  level: number
  reqId: string
  traceId?: string
  req: Readonly<{ method: string; path: string; address: string }>
  res: Readonly<{ status: number }>
  responseTime: number
  msg: string
  refusal?: string
  err?: Readonly<{ message: string; stack: string }>
}>

describe('access log', () => {
  let http: RunningHttp
  const lines: string[] = []
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString())
      done()
    },
  })
  const last = (): Line => JSON.parse(lines.at(-1) ?? '') as Line

  before(async () => {
    const route = (path: string, handle: Route['handle']): Route => ({
      ...{ method: 'GET', path, guard: 'open', handle },
    })
    const endpoint: Endpoint = { guard: 'open', handle: () => reply(200, {}) }
    http = await startHttp({
      routes: [
        route('/ok', () => reply(200, {})),
        route('/_health', () => reply(200, {})),
        route('/fails', () => Promise.reject(new Error('the secret reason'))),
        route('/busy', () => {
          throw fail('unavailable', 'Too busy', {}, { 'Retry-After': '1' })
        }),
        route('/slow', () => new Promise(() => undefined)),
      ],
      content: {
        match: () => ({
          ...{ pattern: '/api/:type', type: 'api::article.article' },
          methods: new Map([['GET', endpoint] as const]),
        }),
      },
      log: sink,
    })
  })
  after(() => http.stop())
  beforeEach(() => void (lines.length = 0))

  it('contains the client address behind a trusted proxy, but ignores other forwarded addresses', async () => {
    const forwarded: string[] = []
    const log = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        forwarded.push((JSON.parse(chunk.toString()) as Line).req.address)
        done()
      },
    })
    const proxied = await startHttp({ settings: { 'http.trustProxy': 'loopback' }, log })
    const headers = { 'X-Forwarded-For': '203.0.113.7, 198.51.100.9' }
    await proxied.send('GET', '/', { headers })
    await proxied.stop()
    expect(forwarded).to.deep.equal(['198.51.100.9'])
    await http.send('GET', '/ok', { headers })
    expect(last().req.address).to.equal('127.0.0.1')
  })

  it('has one line per request, without query string and headers', async () => {
    await http.send('GET', '/ok?code=query-secret', { token: 'token-secret' })
    expect(lines).to.have.length(1)
    expect(lines[0]).not.to.include('secret')
    const { level, req, res, responseTime, msg } = last()
    expect({ level, req, res, msg }).to.deep.equal({
      level: 30,
      req: { method: 'GET', path: '/ok', address: '127.0.0.1' },
      res: { status: 200 },
      msg: 'GET /ok 200',
    })
    expect(responseTime).to.be.at.least(0)
  })

  it('contains the request id of the response', async () => {
    const { headers } = await http.send('GET', '/ok')
    expect(last().reqId).to.equal(headers.get('x-request-id'))
  })

  it('contains the trace id of a valid traceparent header, for errors too', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
    const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
    for (const path of ['/ok', '/fails']) {
      await http.send('GET', path, { headers })
      expect(last().traceId).to.equal(traceId)
    }
    await http.send('GET', '/ok', { headers: { traceparent: `00-${traceId}` } })
    expect(last()).not.to.have.property('traceId')
  })

  it('contains the whole path of content requests', async () => {
    await http.send('GET', '/api/posts?a=b')
    const { msg, req } = last()
    expect([msg, req.path]).to.deep.equal(['GET /api/posts 200', '/api/posts'])
  })

  it('contains the error that the response hides', async () => {
    const { text } = await http.send('GET', '/fails')
    expect(text).not.to.include('secret')
    const { level, err, msg } = last()
    expect([level, err?.message, msg]).to.deep.equal([50, 'the secret reason', 'GET /fails 500'])
    expect(err?.stack).to.include('access-log.test')
  })

  it('contains the reason of a rejection as a warning without a stack', async () => {
    expect((await http.send('GET', '/busy')).status).to.equal(503)
    const { level, err, refusal, msg } = last()
    expect([level, err, refusal, msg]).to.deep.equal([40, undefined, 'Too busy', 'GET /busy 503'])
  })

  it('contains requests whose client disconnects before the response', async () => {
    const leaving = AbortSignal.timeout(100)
    await fetch(`${http.url}/slow`, { signal: leaving }).catch(() => undefined)
    while (lines.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    expect(last().req).to.deep.equal({ method: 'GET', path: '/slow', address: '127.0.0.1' })
  })

  it('omits health checks', async () => {
    await http.send('GET', '/_health')
    expect(lines).to.deep.equal([])
  })
})
