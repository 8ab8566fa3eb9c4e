import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { fail } from '../../../../engine/errors.js'
import type { Json } from '../../../../server/http/route.js'
import { toExactJson } from '../../../../server/http/request/parse-json.js'
import { reply } from '../../../../server/http/route.js'
import { errorBody } from '../../../support/error-body.js'
import { rawRequest } from '../../../support/raw-request.js'
import { startHttp, type RunningHttp } from '../../../support/start-http.js'

describe('request bodies', () => {
  let http: RunningHttp
  before(async () => {
    http = await startHttp({
      settings: { 'http.bodyLimit': 10_000 },
      routes: [
        {
          method: 'POST',
          path: '/echo',
          guard: 'open',
          handle: ({ body }) => reply(200, { body: body as Json }),
        },
        {
          method: 'POST',
          path: '/private',
          guard: { action: 'api::x.x.create' },
          handle: () => reply(200),
        },
      ],
      access: { authorize: () => Promise.reject(fail('forbidden')) },
    })
  })
  after(() => http.stop())

  const post = (body: string | Uint8Array, type = 'application/json', path = '/echo') =>
    http.send('POST', path, { body, headers: { 'Content-Type': type } })

  it('are parsed as JSON objects, arrays or URL-encoded forms, and otherwise ignored', async () => {
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

  it('are rejected with the reason if the JSON is malformed', async () => {
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

  it('are read only after the route is found and access is granted', async () => {
    expect((await post('{bad', 'application/json', '/private')).status).to.equal(403)
    expect((await post('{bad', 'application/json', '/nope')).status).to.equal(404)
  })

  it('must be small and uncompressed on rate-limited routes, and are not read above the limit', async () => {
    const small = await startHttp({
      settings: { 'auth.rateLimit.max': 1 },
      routes: [
        {
          method: 'POST',
          path: '/login',
          guard: 'open',
          attempts: { of: 'login', identifier: () => undefined },
          handle: () => reply(200),
        },
      ],
    })
    const login = (body: string | Uint8Array, headers = {}) =>
      small.send('POST', '/login', {
        body,
        headers: { 'Content-Type': 'application/json', ...headers },
      })
    try {
      const large = await login(`{"a":"${'x'.repeat(16_384)}"}`)
      expect([large.status, large.body]).to.deep.equal([
        413,
        errorBody(413, 'PayloadTooLargeError', 'request entity too large (16384 bytes)'),
      ])
      const compressed = await login(gzipSync('{}'), { 'Content-Encoding': 'gzip' })
      expect([compressed.status, compressed.body]).to.deep.equal([
        415,
        errorBody(415, 'UnsupportedMediaTypeError', 'unsupported content encoding "gzip"', {}),
      ])
      const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
      expect((await login(`a=${'x'.repeat(16_384)}`, form)).status).to.equal(413)
      const compressedForm = await login(gzipSync('a=1'), { ...form, 'Content-Encoding': 'gzip' })
      expect(compressedForm.status).to.equal(415)
      for (let at = 0; at < 6; at += 1) expect((await login('{}')).status).to.equal(200)
      expect((await login('{bad')).status).to.equal(429)
    } finally {
      await small.stop()
    }
  })

  it('are rejected for deep nesting before they have arrived completely', async () => {
    const patient = await startHttp({
      settings: { 'http.bodyLimit': 20_000_000, 'http.maxBodyMemory': 100_000_000 },
      routes: [{ method: 'POST', path: '/echo', guard: 'open', handle: () => reply(200) }],
    })
    const head = 'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
    const part = `${head}Content-Length: 17000000\r\n\r\n${'['.repeat(150)}`
    const answer = await rawRequest(patient.url, part)
    await patient.stop()
    expect([answer.status, answer.body]).to.deep.equal([
      400,
      errorBody(400, 'ValidationError', 'The JSON is nested deeper than 100 levels at byte 100', {
        path: null,
        source: 'body',
      }),
    ])
  })

  it('are parsed in pieces if they are long, and malformed ones are rejected with the position', async () => {
    const long = await startHttp({
      routes: [
        {
          method: 'POST',
          path: '/echo',
          guard: 'open',
          exactNumbers: true,
          handle: ({ body }) => reply(200, { same: toExactJson(body) === text }),
        },
      ],
    })
    const rows = Array.from({ length: 3000 }, (_, id) => ({ id, title: `Row ${id}`, tags: [1, 2] }))
    const text = `{"first":123456789012345678901,"rows":${JSON.stringify(rows)},"text":"${'é'.repeat(70_000)}"}`
    const send = (body: string) =>
      long.send('POST', '/echo', { body, headers: { 'Content-Type': 'application/json' } })
    try {
      expect((await send(text)).body).to.deep.equal({ same: true })
      const position = text.indexOf('"Row 2999"')
      const wrong = await send(`${text.slice(0, position)}?${text.slice(position + 1)}`)
      expect(wrong.status).to.equal(400)
      expect(JSON.stringify(wrong.body)).to.include("Unexpected token '?' in JSON")
      const surrogate = await send(text.replace('Row 2999', '\\ud800'))
      expect(surrogate.body).to.deep.equal(
        errorBody(400, 'ValidationError', 'rows.2999.title must be well-formed Unicode text', {
          path: 'rows.2999.title',
          source: 'body',
        }),
      )
      const prototype = await send(text.replace('"id":2999', '"__proto__":2999'))
      expect(prototype.body).to.deep.equal(
        errorBody(400, 'SyntaxError', 'Object contains forbidden prototype property'),
      )
    } finally {
      await long.stop()
    }
  })

  it('are accepted with up to 100 levels of nesting', async () => {
    const nested = (levels: number) => '[' .repeat(levels) + ']'.repeat(levels) // prettier-ignore
    expect((await post(nested(100))).status).to.equal(200)
    const answer = await post(nested(101))
    expect(answer.status).to.equal(400)
    expect(answer.body).to.have.nested.property('error.name', 'ValidationError')
    expect((await post(nested(4000))).status).to.equal(400)
  })

  it('are rejected with NUL in a key or a lone surrogate', async () => {
    for (const text of ['{"a":{"b\\u0000":1}}', '{"a":["\\ud800"]}', '{"\\udfff":1}']) {
      const answer = await post(text)
      expect(answer.status, text).to.equal(400)
      expect(answer.body).to.have.nested.property('error.name', 'ValidationError')
    }
    expect((await post('{"a":"\\u0000\\ud83d\\ude00"}')).status).to.equal(200)
  })

  it('are rejected above http.bodyLimit, even if only after decompression', async () => {
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

  it('are rejected with an unknown encoding or charset', async () => {
    const encoding = await http.send('POST', '/echo', {
      body: '{}',
      headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'zip' },
    })
    expect(encoding.status).to.equal(415)
    expect(encoding.body).to.have.nested.property('error.name', 'UnsupportedMediaTypeError')
    for (const charset of ['nope', 'utf-16'])
      expect((await post('{}', `application/json; charset=${charset}`)).status).to.equal(415)
    for (const charset of ['utf-8', '"UTF8"'])
      expect((await post('{}', `application/json; charset=${charset}`)).status).to.equal(200)
    expect((await post('\ufeff{"a":"é"}')).body).to.deep.equal({ body: { a: 'é' } })
    const broken = await http.send('POST', '/echo', {
      body: 'not gzip',
      headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
    })
    expect(broken.status).to.equal(400)
  })
})
