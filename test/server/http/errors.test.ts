import { expect } from 'chai'
import { fail } from '../../../engine/errors.js'
import type { Route } from '../../../server/http/route.js'
import { errorBody } from '../../support/error-body.js'
import { startHttp, type RunningHttp } from '../../support/start-http.js'

const named = (name: string, fields: object = {}) =>
  Object.assign(new Error('secret detail'), { name }, fields)

const thrown: Readonly<Record<string, unknown>> = {
  plain: new Error('secret detail'),
  text: 'secret detail',
  forbidden: fail('forbidden'),
  key: fail('invalid-key', { key: 'nope' }, { key: 'nope', path: null }),
  retry: fail('rate-limit', {}, undefined, { 'Retry-After': '7' }),
  network: named('MongoNetworkError'),
  selection: named('MongoServerSelectionError'),
  slow: named('MongoServerError', { code: 50 }),
  database: named('MongoServerError', { code: 2 }),
  many: named('MongoBulkWriteError', { errorResponse: named('MongoNetworkError') }),
  elsewhere: named('Error', { code: 'ECONNRESET' }),
}

describe('error responses', () => {
  let http: RunningHttp
  before(async () => {
    const route: Route = {
      method: 'GET',
      path: '/throw/:what',
      guard: 'open',
      handle: ({ params }) => {
        throw thrown[params['what'] ?? '']
      },
    }
    http = await startHttp({ routes: [route] })
  })
  after(() => http.stop())

  const get = (what: string) => http.send('GET', `/throw/${what}`)

  it('contain status, name, message and details of an ApiError', async () => {
    expect((await get('forbidden')).body).to.deep.equal(
      errorBody(403, 'ForbiddenError', 'Forbidden', {}),
    )
    const key = await get('key')
    expect(key.status).to.equal(400)
    expect(key.headers.get('content-type')).to.equal('application/json; charset=utf-8')
    expect(key.body).to.deep.equal(
      errorBody(400, 'ValidationError', 'Invalid key nope', { key: 'nope', path: null }),
    )
  })

  it('have the headers of the error', async () => {
    const answer = await get('retry')
    expect(answer.status).to.equal(429)
    expect(answer.headers.get('retry-after')).to.equal('7')
  })

  it('are a plain 500 without details for any other error', async () => {
    for (const what of ['plain', 'text', 'database', 'elsewhere']) {
      const answer = await get(what)
      expect(answer.status).to.equal(500)
      expect(answer.body).to.deep.equal(
        errorBody(500, 'InternalServerError', 'Internal Server Error'),
      )
    }
  })

  it('are a 503 if the database is unreachable or too slow', async () => {
    for (const what of ['network', 'selection', 'slow', 'many']) {
      const answer = await get(what)
      expect(answer.status, what).to.equal(503)
      expect(answer.body).to.have.nested.property('error.name', 'ServiceUnavailableError')
      expect(answer.text).not.to.include('secret')
    }
  })
})
