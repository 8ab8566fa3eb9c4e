import { expect } from 'chai'
import { rawRequest } from '../support/raw-request.js'
import { startApp } from '../support/start-app.js'
import type { TestApp } from '../support/test-app.js'

describe('line break in a request', () => {
  let app: TestApp
  before(async () => {
    app = await startApp()
  })
  after(() => app.stop())

  it('starts no header of the response', async () => {
    const breaks = ['%0d%0aX-Evil:1', '%0aX-Evil:1', '%E5%98%8D%E5%98%8AX-Evil:1']
    for (const text of breaks) {
      for (const path of [
        `/api/authors/${text}`,
        `/api/${text}`,
        `/uploads/${text}`,
        `/api/auth/email-confirmation?confirmation=${text}`,
        `/admin/registration-info?registrationToken=${text}`,
      ]) {
        const { headers, status } = await app.request('GET', path, { token: app.token })
        expect(headers.has('x-evil'), path).to.be.false
        expect(status, path).to.be.within(400, 404)
      }
    }
  })

  it('is not copied from a request id, an origin or a file name', async () => {
    const request = [
      'GET /api/authors HTTP/1.1',
      'Host: localhost',
      'X-Request-Id: a\tb{"level":60}',
      'Origin: https://a.example\tX-Evil: 1',
      'Connection: close',
    ]
    const { head } = await rawRequest(app.url, `${request.join('\r\n')}\r\n\r\n`)
    expect(head)
      .not.to.match(/^x-evil/im)
      .and.not.include('"level"')

    const form = new FormData()
    const name = 'a"\r\nX-Evil: 1\r\n.txt'
    form.append('files', new Blob(['text'], { type: 'text/plain' }), name)
    const made = await app.request('POST', '/api/upload', { token: app.token, body: form })
    const [file] = made.body as { url: string }[]
    const served = await app.request('GET', file?.url ?? '')
    expect(served.status).to.equal(200)
    expect(served.headers.has('x-evil')).to.be.false
    expect(file?.url).to.match(/^\/uploads\/[\w-]+\.txt$/)
  })

  it('in a header is refused with 400, as are contradictory lengths', async () => {
    for (const lines of [
      ['GET /api/authors HTTP/1.1', 'Host: localhost', 'X-A: 1\nX-B\r: 2'],
      ['POST /api/authors HTTP/1.1', 'Host: localhost', 'Content-Length: 4', 'Content-Length: 5'],
      [
        'POST /api/authors HTTP/1.1',
        ...['Host: localhost', 'Content-Length: 4', 'Transfer-Encoding: chunked'],
      ],
      ['GET /api/authors HTTP/1.1', 'Host : localhost'],
    ]) {
      const { status } = await rawRequest(app.url, `${lines.join('\r\n')}\r\n\r\n`)
      expect(status, lines.join(' | ')).to.equal(400)
    }
  })
})
