import { expect } from 'chai'
import {
  type Endpoint,
  type HttpRequest,
  type Method,
  type Route,
  reply,
} from '../../../../server/http/route.js'
import { errorBody, notFound } from '../../../support/error-body.js'
import { rawRequest } from '../../../support/raw-request.js'
import { startHttp, type RunningHttp } from '../../../support/start-http.js'

const echo = ({ method, path, search, params }: HttpRequest) =>
  reply(200, { method, path, search, params })
const route = (method: Method, path: string): Route => ({
  method,
  path,
  guard: 'open',
  handle: echo,
})
const endpoint: Endpoint = { guard: 'open', handle: echo }
const notAllowed = errorBody(405, 'MethodNotAllowedError', 'Method Not Allowed', {})

const type = 'api::article.article'
const list = { pattern: '/api/:type', type }
const one = { pattern: '/api/:type/:documentId', type }

describe('routing', () => {
  let http: RunningHttp
  before(async () => {
    http = await startHttp({
      routes: [
        route('GET', '/api/users/me'),
        route('GET', '/api/users/:id'),
        route('PUT', '/api/users/:id'),
        route('POST', '/api/auth/local'),
      ],
      content: {
        match: ([name, documentId, ...rest]) =>
          name !== 'articles' || rest.length > 0
            ? undefined
            : documentId === undefined
              ? { ...list, methods: new Map<Method, Endpoint>([['GET', endpoint], ['POST', endpoint]]) } // prettier-ignore
              : { ...one, methods: new Map([['GET', endpoint]]), params: { documentId } },
      },
    })
  })
  after(() => http.stop())

  it('returns 404 for an unknown path with any method', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      for (const path of ['/nope', '/api', '/api/nope', '/api/articles/a/b', '/api//articles']) {
        const answer = await http.send(method, path)
        expect(answer.status, `${method} ${path}`).to.equal(404)
        expect(answer.body).to.deep.equal(notFound)
      }
    }
  })

  it('returns 405 with Allow for a known path with an unsupported method', async () => {
    const answer = await http.send('PATCH', '/api/articles')
    expect(answer.status).to.equal(405)
    expect(answer.body).to.deep.equal(notAllowed)
    expect(answer.headers.get('allow')).to.equal('HEAD, GET, POST')
  })

  it('combines the methods of all routes that match a path', async () => {
    expect((await http.send('GET', '/api/users/me')).body).to.have.property('params').that.is.empty
    const put = await http.send('PUT', '/api/users/me')
    expect(put.body).to.have.property('params').that.deep.equals({ id: 'me' })
    const patch = await http.send('PATCH', '/api/users/me')
    expect(patch.headers.get('allow')).to.equal('HEAD, GET, PUT')
  })

  it('responds to OPTIONS with the methods of the path', async () => {
    const answer = await http.send('OPTIONS', '/api/auth/local')
    expect(answer.status).to.equal(200)
    expect(answer.headers.get('allow')).to.equal('POST')
    expect(answer.text).to.equal('')
  })

  it('responds to HEAD like GET, without a body', async () => {
    const get = await http.send('GET', '/api/articles')
    const head = await http.send('HEAD', '/api/articles')
    expect(head.status).to.equal(200)
    expect(head.text).to.equal('')
    expect(head.headers.get('content-length')).to.equal(get.headers.get('content-length'))
    expect((await http.send('HEAD', '/api/nope')).status).to.equal(404)
    expect((await http.send('HEAD', '/api/auth/local')).status).to.equal(405)
  })

  it('ignores case and a trailing slash', async () => {
    expect((await http.send('GET', '/API/Users/ME/')).status).to.equal(200)
    expect((await http.send('GET', '/API/articles/')).status).to.equal(200)
    expect((await http.send('GET', '/api/articles//')).status).to.equal(404)
  })

  it('decodes path segments, but not the query string', async () => {
    const answer = await http.send('GET', '/api/articles/a%20b?x[y]=%20&z')
    expect(answer.body).to.deep.equal({
      method: 'GET',
      path: '/api/articles/a%20b',
      search: 'x[y]=%20&z',
      params: { documentId: 'a b' },
    })
  })

  it('returns 400 for a path that cannot be decoded, known or not', async () => {
    for (const path of ['/api/articles/%zz', '/nope/%', '/%E0%A4%A']) {
      const answer = await http.send('GET', path)
      expect(answer.status, path).to.equal(400)
      expect(answer.body).to.deep.equal(errorBody(400, 'BadRequestError', 'failed to decode'))
    }
    const nul = await http.send('GET', '/api/articles/%00')
    expect(nul.body).to.deep.equal(errorBody(400, 'BadRequestError', 'Malicious Path'))
  })

  it('finds the route before it checks credentials', async () => {
    expect((await http.send('GET', '/api/nope', { token: 'wrong' })).status).to.equal(404)
    expect((await http.send('PUT', '/api/articles', { token: 'wrong' })).status).to.equal(405)
  })

  it('returns 404 for a request target that is not a path', async () => {
    for (const target of ['*', 'http://example.org/nope', '//', '/api/..']) {
      const text = `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
      expect((await rawRequest(http.url, text)).status, target).to.equal(404)
    }
  })
})
