import { request as send } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { eventually } from '../../database/support.js'
import { startApp } from '../../../support/start-app.js'
import type { TestApp } from '../../../support/test-app.js'

type Raw = Readonly<{
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Buffer
}>

describe('http.compression=true', () => {
  let app: TestApp
  before(async () => {
    const settings = { 'http.compression': true, 'database.exclusive': true }
    app = await startApp({ settings, environment: { METRICS_ENABLED: 'true' } })
    for (let number = 0; number < 20; number += 1)
      await app.request('POST', '/api/tags', {
        token: app.token,
        body: { data: { name: `Tag number ${number}` } },
      })
  })
  after(() => app.stop())

  /** Not with `fetch`, which would decompress the response. */
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    new Promise<Raw>((resolve, reject) => {
      const options = { method, headers: { authorization: `Bearer ${app.token}`, ...headers } }
      send(`${app.url}${path}`, options, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const { statusCode = 0, headers } = response
          resolve({ status: statusCode, headers, body: Buffer.concat(chunks) })
        })
      })
        .on('error', reject)
        .end()
    })
  const list = '/api/tags?pagination[pageSize]=20'

  it('compresses a read with the best encoding that the client accepts', async () => {
    const plain = await get(list)
    expect(plain.headers).not.to.have.property('content-encoding')
    expect(plain.headers['vary']).to.include('Accept-Encoding').and.include('Authorization')
    const ways = [
      ['gzip', 'gzip', gunzipSync],
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['br;q=0.2, gzip;q=0.8', 'gzip', gunzipSync],
      ['*', 'br', brotliDecompressSync],
    ] as const
    for (const [accepted, encoding, unpack] of ways) {
      const { headers, body } = await get(list, { 'Accept-Encoding': accepted })
      expect(headers['content-encoding'], accepted).to.equal(encoding)
      expect(headers['content-length']).to.equal(String(body.byteLength))
      expect(body.byteLength).to.be.lessThan(plain.body.byteLength / 2)
      expect(unpack(body).equals(plain.body)).to.equal(true)
      expect(headers['etag']).to.equal(plain.headers['etag']).and.match(/^W\/"/)
    }
    for (const accepted of ['identity', 'deflate', 'gzip;q=0, br;q=0', 'nonsense'])
      expect((await get(list, { 'Accept-Encoding': accepted })).body.equals(plain.body)).to.equal(
        true,
      )
  })

  it('returns 304 for the ETag of a compressed response, in any encoding', async () => {
    const { headers } = await get(list, { 'Accept-Encoding': 'br' })
    for (const accepted of ['br', 'gzip', 'identity']) {
      const again = await get(list, {
        'Accept-Encoding': accepted,
        'If-None-Match': String(headers['etag']),
      })
      expect([again.status, again.body.byteLength]).to.deep.equal([304, 0])
      expect(again.headers['etag']).to.equal(headers['etag'])
      expect(again.headers['vary']).to.include('Accept-Encoding')
      expect(again.headers).not.to.have.property('content-encoding')
    }
  })

  it('accepts the ETag of a compressed response in If-Match', async () => {
    const { body } = await app.request('POST', '/api/articles', {
      token: app.token,
      body: { data: { title: 'Long', body: 'a long text '.repeat(200) } },
    })
    const path = `/api/articles/${(body as { data: { documentId: string } }).data.documentId}`
    const { headers } = await get(path, { 'Accept-Encoding': 'gzip' })
    expect(headers['content-encoding']).to.equal('gzip')
    const put = () =>
      app.request('PUT', path, {
        token: app.token,
        body: { data: { title: 'Longer' } },
        headers: { 'If-Match': String(headers['etag']) },
      })
    expect((await put()).status).to.equal(200)
    expect((await put()).status).to.equal(412)
  })

  it('returns the same headers for HEAD as for GET', async () => {
    const { headers } = await get(list, { 'Accept-Encoding': 'gzip' })
    const head = await get(list, { 'Accept-Encoding': 'gzip' }, 'HEAD')
    const shown = ['content-encoding', 'content-length', 'etag', 'vary']
    expect(shown.map((name) => head.headers[name])).to.deep.equal(
      shown.map((name) => headers[name]),
    )
    expect(head.body.byteLength).to.equal(0)
  })

  it('does not compress small responses, errors and files', async () => {
    const wanted = { 'Accept-Encoding': 'gzip' }
    const [file] = (await app.request('POST', '/api/upload', { token: app.token, body: upload() }))
      .body as { url: string }[]
    const raw = [
      await get('/api/tags?pagination[pageSize]=1', wanted),
      await get(`/api/tags?filters[${'x'.repeat(900)}]=1`, wanted),
      await get(file?.url ?? '', wanted),
    ]
    expect(raw.map(({ status }) => status)).to.deep.equal([200, 400, 200])
    for (const { headers } of raw) expect(headers).not.to.have.property('content-encoding')
  })

  it('releases the output buffers after compressed responses', async () => {
    await Promise.all(Array.from({ length: 20 }, () => get(list, { 'Accept-Encoding': 'br' })))
    const isNone = async () =>
      /^quire_unsent_bytes 0$/m.test((await app.request('GET', '/metrics')).text)
    await eventually(isNone)
  })

  const upload = (): FormData => {
    const form = new FormData()
    form.append('files', new Blob(['text '.repeat(1000)], { type: 'text/plain' }), 'a.txt')
    return form
  }
})

describe('http.compression=false', () => {
  let app: TestApp
  before(async () => {
    app = await startApp()
  })
  after(() => app.stop())

  it('sends responses uncompressed, without Accept-Encoding in Vary', async () => {
    const { headers } = await app.request('GET', '/api/tags', { token: app.token })
    expect(headers.get('vary')).not.to.include('Accept-Encoding')
    expect(headers.get('content-encoding')).to.equal(null)
  })
})
