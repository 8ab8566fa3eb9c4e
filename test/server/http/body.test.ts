import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { fail } from '../../../engine/errors.js'
import type { Json } from '../../../server/http/route.js'
import { reply } from '../../../server/http/route.js'
import { errorBody } from '../../support/error-body.js'
import { startHttp, type RunningHttp } from '../../support/start-http.js'

describe('bodies', () => {
  let http: RunningHttp
  before(async () => {
    http = await startHttp({
      settings: { 'http.bodyLimit': 10_000 },
      routes: [
        {
          method: 'POST',
          path: '/echo',
          guard: { kind: 'open' },
          handle: ({ body }) => reply(200, { body: body as Json }),
        },
        {
          method: 'POST',
          path: '/private',
          guard: { kind: 'content', action: 'api::x.x.create' },
          handle: () => reply(200),
        },
      ],
      access: { authorize: () => Promise.reject(fail('forbidden')) },
    })
  })
  after(() => http.stop())

  const post = (body: string | Uint8Array, type = 'application/json', path = '/echo') =>
    http.send('POST', path, { body, headers: { 'Content-Type': type } })

  it('are JSON objects or arrays, URL-encoded forms, or not understood', async () => {
    expect((await post('{"data":{"a":1}}')).body).to.deep.equal({ body: { data: { a: 1 } } })
    expect((await post('[1]', 'application/vnd.api+json')).body).to.deep.equal({ body: [1] })
    const form = await post('data[title]=x&data[tags][]=1', 'application/x-www-form-urlencoded')
    expect(form.body).to.deep.equal({ body: { data: { title: 'x', tags: ['1'] } } })
    for (const type of [
      'text/plain',
      'application/octet-stream',
      'multipart/form-data; boundary=x',
    ]) {
      expect((await post('{"data":{}}', type)).body, type).to.deep.equal({})
    }
    expect((await post('')).body).to.deep.equal({})
    expect((await http.send('POST', '/echo')).body).to.deep.equal({})
  })

  it('of malformed JSON are refused with the reason', async () => {
    for (const [text, message] of [
      ['{bad', "Expected property name or '}' in JSON at position 1"],
      ['{"data":{"title":"B"}} x', 'Unexpected non-whitespace character after JSON at position 23'],
      ['"x"', 'invalid JSON, only supports object and array'],
      ['null', 'invalid JSON, only supports object and array'],
      ['5', 'invalid JSON, only supports object and array'],
      ['{"data":{"__proto__":{"x":1}}}', 'Object contains forbidden prototype property'],
      ['{"data":{"\\u005f_proto__":{"x":1}}}', 'Object contains forbidden prototype property'],
    ] as const) {
      const answer = await post(text)
      expect(answer.status, text).to.equal(400)
      expect(answer.body).to.deep.equal(errorBody(400, 'SyntaxError', message))
    }
  })

  it('are read before access is decided, and after the route is found', async () => {
    expect((await post('{bad', 'application/json', '/private')).status).to.equal(400)
    expect((await post('{}', 'application/json', '/private')).status).to.equal(403)
    expect((await post('{bad', 'application/json', '/nope')).status).to.equal(404)
  })

  it('may be nested 100 levels deep', async () => {
    const nested = (levels: number) => '[' .repeat(levels) + ']'.repeat(levels) // prettier-ignore
    expect((await post(nested(100))).status).to.equal(200)
    const answer = await post(nested(101))
    expect(answer.status).to.equal(400)
    expect(answer.body).to.have.nested.property('error.name', 'ValidationError')
    expect((await post(nested(4000))).status).to.equal(400)
  })

  it('with NUL in a key or with lone surrogates are refused', async () => {
    for (const text of ['{"a":{"b\\u0000":1}}', '{"a":["\\ud800"]}', '{"\\udfff":1}']) {
      const answer = await post(text)
      expect(answer.status, text).to.equal(400)
      expect(answer.body).to.have.nested.property('error.name', 'ValidationError')
    }
    expect((await post('{"a":"\\u0000\\ud83d\\ude00"}')).status).to.equal(200)
  })

  it('larger than http.bodyLimit are refused, also after decompression', async () => {
    const large = JSON.stringify({ a: 'x'.repeat(20_000) })
    const tooLarge = errorBody(
      413,
      'PayloadTooLargeError',
      'request entity too large (http.bodyLimit)',
    )
    for (const answer of [
      await post(large),
      await post(`a=${'x'.repeat(20_000)}`, 'application/x-www-form-urlencoded'),
      await http.send('POST', '/echo', {
        body: gzipSync(large),
        headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
      }),
    ]) {
      expect(answer.status).to.equal(413)
      expect(answer.body).to.deep.equal(tooLarge)
    }
  })

  it('in an encoding or a charset that nobody knows are refused', async () => {
    const encoding = await http.send('POST', '/echo', {
      body: '{}',
      headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'zip' },
    })
    expect(encoding.status).to.equal(415)
    expect(encoding.body).to.have.nested.property('error.name', 'UnsupportedMediaTypeError')
    expect((await post('{}', 'application/json; charset=nope')).status).to.equal(415)
    const broken = await http.send('POST', '/echo', {
      body: 'not gzip',
      headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
    })
    expect(broken.status).to.equal(400)
  })
})
