import { expect } from 'chai'
import { reply, type Route } from '../../../server/http/route.js'
import { errorBody, notFound } from '../../support/error-body.js'
import { rawRequest } from '../../support/raw-request.js'
import { startHttp, type RunningHttp } from '../../support/start-http.js'

describe('HTTP parser errors', () => {
  const routes = (['GET', 'POST'] as const).map((method): Route => {
    return { method, path: '/ok', guard: 'open', handle: () => reply(200, 'ok') }
  })
  let http: RunningHttp
  before(async () => {
    http = await startHttp({
      settings: { 'http.maxHeaderSize': 20_000 },
      routes,
    })
  })
  after(() => http.stop())

  it('return 400 in the error envelope if the request is not HTTP', async () => {
    for (const text of ['hello\r\n\r\n', 'GET /ok HTTP/1.1\r\nHost: x\r\nBad Name: 1\r\n\r\n']) {
      const answer = await rawRequest(http.url, text)
      expect(answer.status).to.equal(400)
      expect(answer.body).to.deep.equal(
        errorBody(400, 'BadRequestError', 'The request is not HTTP'),
      )
    }
  })

  it('return 431 in the error envelope if the headers are too large', async () => {
    const answer = await http.send('GET', `/ok?x=${'x'.repeat(21_000)}`)
    expect(answer.status).to.equal(431)
    expect(answer.body).to.have.nested.property('error.name', 'RequestHeaderFieldsTooLargeError')
    expect((await http.send('GET', `/ok?x=${'x'.repeat(18_000)}`)).status).to.equal(200)
  })

  it('return 408 in the error envelope if the request does not arrive in time', async () => {
    const impatient = await startHttp({ routes, settings: { 'http.requestTimeoutMs': 200 } })
    for (const text of [
      'GET /ok HTTP/1.1\r\nHost',
      'POST /ok HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    ]) {
      const answer = await rawRequest(impatient.url, text)
      expect(answer.status).to.equal(408)
      expect(answer.body).to.have.nested.property('error.name', 'RequestTimeoutError')
    }
    await impatient.stop()
  })

  it('return 400 in the error envelope if the Host header is missing', async () => {
    const answer = await rawRequest(http.url, 'GET /ok HTTP/1.1\r\nConnection: close\r\n\r\n')
    expect(answer.body).to.deep.equal(errorBody(400, 'BadRequestError', 'Missing Host header'))
  })

  it('return 400 in the error envelope if the Host header is repeated or invalid', async () => {
    for (const [hosts, message] of [
      ['Host: x\r\nHost: x', 'More than one Host header'],
      ['Host: x\r\nX-Other: y\r\nhOST: y', 'More than one Host header'],
      ['Host: x y', 'Invalid Host header'],
      ['Host: x, y', 'Invalid Host header'],
      ['Host: user@x', 'Invalid Host header'],
      ['Host: x/y', 'Invalid Host header'],
      ['Host: x:port', 'Invalid Host header'],
      ['Host: [::1', 'Invalid Host header'],
      ['Host: ü', 'Invalid Host header'],
    ] as const)
      for (const version of ['1.0', '1.1']) {
        const head = `GET /ok HTTP/${version}\r\n${hosts}\r\nConnection: close\r\n\r\n`
        const answer = await rawRequest(http.url, head)
        expect(answer.body, head).to.deep.equal(errorBody(400, 'BadRequestError', message))
      }
  })

  it('do not occur for a valid Host header', async () => {
    for (const host of ['x', 'x.example:80', 'x:', '127.0.0.1:1337', '[2001:db8::1]:80', 'a_b', ''])
      for (const name of ['Host', 'host']) {
        const head = `GET /ok HTTP/1.1\r\n${name}: ${host}\r\nConnection: close\r\n\r\n`
        expect((await rawRequest(http.url, head)).status, host).to.equal(200)
      }
  })

  it('do not occur for an unknown Expect header', async () => {
    const head = 'GET /nope HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nConnection: close\r\n\r\n'
    expect((await rawRequest(http.url, head)).body).to.deep.equal(notFound)
  })
})
