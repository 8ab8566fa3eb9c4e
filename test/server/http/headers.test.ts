import { expect } from 'chai'
import { reply } from '../../../server/http/route.js'
import { startHttp, type RunningHttp } from '../../support/start-http.js'

describe('response headers', () => {
  let http: RunningHttp
  let strict: RunningHttp
  before(async () => {
    const routes = [
      {
        method: 'GET',
        path: '/ok',
        guard: 'open',
        handle: ({ id }: { id: string }) => reply(200, { id }),
      },
    ] as const
    http = await startHttp({ routes })
    strict = await startHttp({ routes, settings: { 'cors.origins': ['https://a.example'] } })
  })
  after(() => Promise.all([http.stop(), strict.stop()]))

  it('keep browsers from running, framing or sniffing a response', async () => {
    const { headers } = await http.send('GET', '/nope')
    expect(headers.get('content-security-policy')).to.equal(
      "default-src 'none';frame-ancestors 'none'",
    )
    expect(headers.get('x-content-type-options')).to.equal('nosniff')
    expect(headers.get('referrer-policy')).to.equal('no-referrer')
    expect(headers.get('x-powered-by')).to.equal(null)
  })

  it('are exactly those of helmet and CORS for a client without an Origin', async () => {
    const { headers } = await http.send('GET', '/ok')
    const ofConnection = ['connection', 'date', 'keep-alive', 'content-length', 'content-type']
    const names = [...headers.keys()].filter((name) => !ofConnection.includes(name))
    expect(Object.fromEntries(names.map((name) => [name, headers.get(name)]))).to.deep.equal({
      'access-control-allow-origin': '*',
      'access-control-expose-headers':
        'ETag,Idempotent-Replayed,Quire-Ignored,Retry-After,X-Request-Id',
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'cross-origin-resource-policy': 'cross-origin',
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'x-dns-prefetch-control': 'off',
      'x-download-options': 'noopen',
      'x-frame-options': 'SAMEORIGIN',
      'x-permitted-cross-domain-policies': 'none',
      'x-request-id': headers.get('x-request-id'),
      'x-xss-protection': '0',
    })
  })

  it('allow any origin in the 204 response to a CORS preflight by default', async () => {
    const answer = await http.send('OPTIONS', '/ok', {
      headers: {
        Origin: 'https://app.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,content-type',
      },
    })
    expect(answer.status).to.equal(204)
    expect(answer.headers.get('access-control-allow-origin')).to.equal('*')
    expect(answer.headers.get('access-control-allow-credentials')).to.equal(null)
    expect(answer.headers.get('vary')).to.equal(null)
    expect(answer.headers.get('access-control-allow-methods')).to.equal(
      'GET,POST,PUT,PATCH,DELETE,HEAD,OPTIONS',
    )
    expect(answer.headers.get('access-control-allow-headers')).to.match(
      /^Content-Type,Authorization,Origin,Accept.*,traceparent,tracestate$/,
    )
    expect(answer.headers.get('access-control-max-age')).to.equal('31536000')
  })

  it('allow a page of an allowed origin to read responses, including errors', async () => {
    const headers = { Origin: 'https://a.example' }
    for (const path of ['/ok', '/nope']) {
      const named = await strict.send('GET', path, { headers })
      expect(named.headers.get('access-control-allow-origin')).to.equal('https://a.example')
      expect(named.headers.get('access-control-allow-credentials')).to.equal('true')
      expect(named.headers.get('vary')).to.equal('Origin')
      const any = await http.send('GET', path, { headers })
      expect(any.headers.get('access-control-allow-origin')).to.equal('*')
      expect(any.headers.get('access-control-allow-credentials')).to.equal(null)
    }
  })

  it('allow credentials only for an origin that is listed by name, in preflights too', async () => {
    const settings = { 'cors.origins': ['*', 'https://a.example'] }
    const mixed = await startHttp({ settings })
    const preflight = { 'Access-Control-Request-Method': 'PUT' }
    for (const [running, origin, allowed, credentials] of [
      [http, 'https://b.example', '*', null],
      [strict, 'https://a.example', 'https://a.example', 'true'],
      [mixed, 'https://a.example', 'https://a.example', 'true'],
      [mixed, 'https://b.example', '*', null],
    ] as const) {
      const headers = { ...preflight, Origin: origin }
      const answer = await running.send('OPTIONS', '/ok', { headers })
      expect(answer.status).to.equal(204)
      expect(answer.headers.get('access-control-allow-origin')).to.equal(allowed)
      expect(answer.headers.get('access-control-allow-credentials')).to.equal(credentials)
      expect(answer.headers.get('vary')).to.equal(running === http ? null : 'Origin')
    }
    await mixed.stop()
  })

  it('do not allow other origins to read', async () => {
    const answer = await strict.send('GET', '/ok', { headers: { Origin: 'https://b.example' } })
    expect(answer.headers.get('access-control-allow-origin')).to.equal(null)
  })

  it('contain the request id of the client if it is valid, otherwise a new one', async () => {
    const given = await http.send('GET', '/ok', { headers: { 'X-Request-Id': 'trace-1:a' } })
    expect(given.headers.get('x-request-id')).to.equal('trace-1:a')
    expect(given.body).to.deep.equal({ id: 'trace-1:a' })
    const made = await http.send('GET', '/ok', { headers: { 'X-Request-Id': 'a b' } })
    expect(made.headers.get('x-request-id')).to.match(/^[0-9a-f-]{36}$/)
  })
})
