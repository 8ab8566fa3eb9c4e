import { once } from 'node:events'
import { readFile, readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { fail } from '../../../../engine/errors.js'
import { type Access, type Json, type Route, reply } from '../../../../server/http/route.js'
import { eventually } from '../../database/support.js'
import { errorBody } from '../../../support/error-body.js'
import { startHttp, type RunningHttp } from '../../../support/start-http.js'

const guard = { action: 'upload' }
const upload: Route = {
  method: 'POST',
  path: '/upload',
  guard,
  multipart: true,
  handle: async ({ body, files }) => {
    const shown = files.map(async (part) => ({
      ...{ field: part.field, fileName: part.fileName, mimeType: part.mimeType, size: part.size },
      content: part.is === 'file' ? await readFile(part.path, 'utf8') : '',
    }))
    return reply(200, { body: body as Json, files: await Promise.all(shown) })
  },
}
/** `prepare` takes longer than the time limit of a write. */
const prepared: Route = {
  method: 'POST',
  path: '/prepared',
  guard,
  multipart: true,
  prepare: async (files) => {
    await sleep(1200)
    if (files.length === 0) throw fail('validation', 'No files')
    const what = files.map(({ fileName }) => fileName)
    return { what, discard: () => Promise.resolve() }
  },
  handle: (request) => reply(200, request.prepared as Json),
}
const access: Access = {
  authorize: (_guard, { authorization }) =>
    authorization === 'Bearer good'
      ? Promise.resolve({ kind: 'public', grant: { key: 'x', actions: new Set() } })
      : Promise.reject(fail('forbidden')),
}

describe('multipart bodies', () => {
  let http: RunningHttp
  before(async () => {
    const plain: Route = {
      method: 'POST',
      path: '/plain',
      guard,
      handle: ({ body }) => reply(200, { body: body as Json }),
    }
    http = await startHttp({
      routes: [upload, plain, prepared],
      access,
      settings: { 'upload.sizeLimit': 1000, 'upload.maxFiles': 2, 'api.rest.writeTimeoutMs': 1000 },
    })
  })
  after(() => http.stop())

  it('may be prepared for longer than the request timeout', async () => {
    const settings = { 'http.requestTimeoutMs': 500, 'api.rest.queryTimeoutMs': 1 }
    const patient = await startHttp({ routes: [prepared], access, settings })
    const body = new FormData()
    body.append('files', new Blob(['content']), 'a.txt')
    const headers = { authorization: 'Bearer good' }
    const response = await fetch(`${patient.url}/prepared`, { method: 'POST', headers, body })
    expect(await response.json()).to.deep.equal(['a.txt'])
    await patient.stop()
  })
  afterEach(async () => {
    await eventually(async () => (await readdir(http.tempDir)).length === 0)
  })

  const form = (fields: Readonly<Record<string, string | Blob>>) => {
    const data = new FormData()
    for (const [name, value] of Object.entries(fields)) {
      if (typeof value === 'string') data.append(name, value)
      else data.append(name, value, 'näme & co.txt')
    }
    return data
  }
  const post = (body: FormData, path = '/upload', token = 'good') =>
    http.send('POST', path, { body, token })

  it('are prepared before the write timeout starts', async () => {
    const send = (fields: Readonly<Record<string, string | Blob>>) =>
      fetch(`${http.url}/prepared`, {
        ...{ method: 'POST', headers: { authorization: 'Bearer good' }, body: form(fields) },
      })
    const [answer, refused] = await Promise.all([
      send({ files: new Blob(['one']) }),
      send({ note: 'no file' }),
    ])
    expect([answer.status, await answer.json()]).to.deep.equal([200, ['näme & co.txt']])
    const body = errorBody(400, 'ValidationError', 'No files', {})
    expect([refused.status, await refused.json()]).to.deep.equal([400, body])
  })

  it('pass files and text fields to routes that accept files', async () => {
    const answer = await post(
      form({ ref: 'x', 'info[alt]': 'y', files: new Blob(['hello'], { type: 'text/plain' }) }),
    )
    expect(answer.body).to.deep.equal({
      body: { ref: 'x', info: { alt: 'y' } },
      files: [
        {
          field: 'files',
          fileName: 'näme & co.txt',
          mimeType: 'text/plain',
          size: 5,
          content: 'hello',
        },
      ],
    })
  })

  it('are ignored on other routes', async () => {
    const answer = await post(form({ files: new Blob(['hello']) }), '/plain')
    expect(answer.body).to.deep.equal({})
  })

  it('are rejected with 403 for callers without permission to upload', async () => {
    const answer = await post(form({ files: new Blob(['hello']) }), '/upload', 'bad')
    expect(answer.status).to.equal(403)
  })

  it('are rejected above the limits of file size and number', async () => {
    const large = await post(form({ a: new Blob(['b']), files: new Blob(['x'.repeat(1001)]) }))
    expect(large.status).to.equal(413)
    expect(large.body).to.deep.equal(
      errorBody(413, 'PayloadTooLargeError', 'request entity too large (upload.sizeLimit)'),
    )
    const blob = new Blob(['x'])
    const many = await post(form({ a: blob, b: blob, c: blob }))
    expect(many.status).to.equal(400)
    expect(many.body)
      .to.have.nested.property('error.message')
      .that.includes('2 (files of one upload)')
  })

  it('are rejected for a large file before the client has sent all of it', async () => {
    const socket = connect(Number(new URL(http.url).port), '127.0.0.1')
    const part = '--x\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\n'
    socket.write(
      'POST /upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Length: 9000000000\r\n' +
        `Content-Type: multipart/form-data; boundary=x\r\n\r\n${part}${'x'.repeat(100_000)}`,
    )
    const [answer] = (await once(socket, 'data')) as [Buffer]
    socket.destroy()
    expect(answer.toString()).to.match(
      /^HTTP\/1.1 413 [^]*request entity too large \(upload.sizeLimit\)/,
    )
  })

  it('are rejected if text fields and their names together exceed http.bodyLimit', async () => {
    const small = await startHttp({ routes: [upload], access, settings: { 'http.bodyLimit': 100 } })
    const tooLarge = errorBody(
      413,
      'PayloadTooLargeError',
      'request entity too large (http.bodyLimit)',
    )
    const fields = (...sizes: number[]) =>
      form({
        ...{ files: new Blob(['x'.repeat(1000)]) },
        ...Object.fromEntries(sizes.map((size, at) => [`f${at}`, 'x'.repeat(size)])),
      })
    for (const [sizes, status] of [
      [[98], 200],
      [[48, 48], 200],
      [[99], 413],
      [[48, 49], 413],
      [[101], 413],
      [Array.from({ length: 34 }, () => 1), 413],
    ] as const) {
      const body = fields(...sizes)
      const answer = await small.send('POST', '/upload', { body, token: 'good' })
      expect(answer.status, `${sizes.join()}: ${answer.text}`).to.equal(status)
      if (status === 413) expect(answer.body).to.deep.equal(tooLarge)
    }
    await small.stop()
  })

  it('are rejected for large text fields before the client has sent all of them', async () => {
    const socket = connect(Number(new URL(http.url).port), '127.0.0.1')
    const field = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n'
    socket.write(
      'POST /upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Length: 9000000000\r\n' +
        'Content-Type: multipart/form-data; boundary=x\r\n\r\n' +
        `${field}${'x'.repeat(600_000)}\r\n`.repeat(2) +
        field,
    )
    const [answer] = (await once(socket, 'data')) as [Buffer]
    socket.destroy()
    expect(answer.toString()).to.match(
      /^HTTP\/1.1 413 [^]*request entity too large \(http.bodyLimit\)/,
    )
  })

  it('are rejected if they are malformed', async () => {
    const send = (body: string, type: string) =>
      http.send('POST', '/upload', { body, token: 'good', headers: { 'Content-Type': type } })
    for (const answer of [
      await send('--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1', 'multipart/form-data; boundary=x'), // prettier-ignore
      await send('nothing', 'multipart/form-data'),
      await send('--x\r\nContent-Disposition: form-data; name="a"; filename="a"\r\n\r\n1', 'multipart/form-data; boundary=x'), // prettier-ignore
      await send('--x\r\nContent-Disposition: form-data; name="__proto__[x]"\r\n\r\n1\r\n--x--', 'multipart/form-data; boundary=x'), // prettier-ignore
    ]) {
      expect(answer.status).to.equal(400)
      expect(answer.body).to.have.property('data', null)
    }
  })

  it('leave no file behind if their fields are rejected', async () => {
    const fields = { files: new Blob(['hello']), '__proto__[x]': '1' }
    expect(await post(form(fields))).to.have.property('status', 400)
  })
})
