import { expect } from 'chai'
import { Writable } from 'node:stream'
import { reply } from '../../server/http/route.js'
import { startHttp, type RunningHttp } from '../support/start-http.js'

describe('headers', () => {
  let http: RunningHttp
  let strict: RunningHttp
  const log: string[] = []
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      log.push(chunk.toString())
      done()
    },
  })
  before(async () => {
    const routes = [
      {
        method: 'GET',
        path: '/ok',
        guard: { kind: 'open' },
        handle: ({ id }: { id: string }) => reply(200, { id }),
      },
    ] as const
    const endpoint = { guard: { kind: 'open' }, handle: () => reply(200, {}) } as const
    const content = { match: () => ({ methods: new Map([['GET', endpoint] as const]) }) }
    http = await startHttp({ routes, content, log: sink })
    strict = await startHttp({ routes, settings: { 'cors.origins': ['https://a.example'] } })
  })
  after(() => Promise.all([http.stop(), strict.stop()]))

  it('keep browsers from running, framing or guessing what is answered', async () => {
    const { headers } = await http.send('GET', '/nope')
    expect(headers.get('content-security-policy')).to.equal(
      "default-src 'none';frame-ancestors 'none'",
    )
    expect(headers.get('x-content-type-options')).to.equal('nosniff')
    expect(headers.get('referrer-policy')).to.equal('no-referrer')
    expect(headers.get('x-powered-by')).to.equal(null)
  })

  it('answer a CORS preflight with 204, for any origin by default', async () => {
    const answer = await http.send('OPTIONS', '/ok', {
      headers: {
        Origin: 'https://app.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,content-type',
      },
    })
    expect(answer.status).to.equal(204)
    expect(answer.headers.get('access-control-allow-origin')).to.equal('https://app.example')
    expect(answer.headers.get('access-control-allow-credentials')).to.equal('true')
    expect(answer.headers.get('access-control-allow-methods')).to.equal(
      'GET,POST,PUT,PATCH,DELETE,HEAD,OPTIONS',
    )
    expect(answer.headers.get('access-control-allow-headers')).to.match(
      /^Content-Type,Authorization,Origin,Accept/,
    )
    expect(answer.headers.get('access-control-max-age')).to.equal('31536000')
  })

  it('let the page of an allowed origin read answers, errors included', async () => {
    const headers = { Origin: 'https://a.example' }
    for (const path of ['/ok', '/nope']) {
      for (const running of [http, strict]) {
        const answer = await running.send('GET', path, { headers })
        expect(answer.headers.get('access-control-allow-origin')).to.equal('https://a.example')
        expect(answer.headers.get('vary')).to.equal('Origin')
      }
    }
  })

  it('give no other origin leave to read', async () => {
    const answer = await strict.send('GET', '/ok', { headers: { Origin: 'https://b.example' } })
    expect(answer.headers.get('access-control-allow-origin')).to.equal(null)
  })

  it('carry the id of the request: the given one where it is sane', async () => {
    const given = await http.send('GET', '/ok', { headers: { 'X-Request-Id': 'trace-1:a' } })
    expect(given.headers.get('x-request-id')).to.equal('trace-1:a')
    expect(given.body).to.deep.equal({ id: 'trace-1:a' })
    const made = await http.send('GET', '/ok', { headers: { 'X-Request-Id': 'a b' } })
    expect(made.headers.get('x-request-id')).to.match(/^[0-9a-f-]{36}$/)
  })

  it('and query strings are not in the access log, which has one line a request', async () => {
    log.length = 0
    await http.send('GET', '/ok?code=query-secret', { token: 'token-secret' })
    expect(log).to.have.length(1)
    expect(log[0]).not.to.include('secret')
    expect(JSON.parse(log[0] ?? '')).to.deep.include({ msg: 'GET /ok 200' })
  })

  it('and the log names the whole path, that of content too', async () => {
    log.length = 0
    await http.send('GET', '/api/posts?a=b')
    const { msg, req } = JSON.parse(log[0] ?? '') as { msg: string; req: { path: string } }
    expect([msg, req.path]).to.deep.equal(['GET /api/posts 200', '/api/posts'])
  })
})
