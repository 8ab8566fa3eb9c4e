import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import type { SentContent } from '../../../../server/http/route.js'
import { errorBody, notFound } from '../../../support/error-body.js'
import { startHttp, type RunningHttp } from '../../../support/start-http.js'

const text = '0123456789'
const etag = '"note.txt-10"'
const modifiedAt = new Date('2024-05-06T07:08:09.000Z')
const modified = 'Mon, 06 May 2024 07:08:09 GMT'

describe('responses with stored content', () => {
  let http: RunningHttp
  let opened: Readable[] = []
  const contents: Readonly<Record<string, SentContent>> = {
    'note.txt': {
      ...{ etag, modifiedAt, size: 10 },
      open: ({ start, end } = { start: 0, end: 9 }) => give(text.slice(start, end + 1)),
    },
    'none.txt': { etag: '"none"', modifiedAt, size: 0, open: () => give('') },
    'gone.txt': { etag, modifiedAt, size: 10, open: () => Promise.resolve(undefined) },
    'refused.txt': { etag, modifiedAt, size: 10, open: () => Promise.reject(new Error('EIO')) },
    'unreadable.txt': { etag, modifiedAt, size: 10, open: () => from(failing(0)) },
    'broken.txt': { etag, modifiedAt, size: 200_000, open: () => from(failing(100_000)) },
    'short.txt': { etag, modifiedAt, size: 20, open: () => give(text) },
    'endless.txt': { etag, modifiedAt, size: 1e12, open: () => from(endless()) },
  }
  const from = (chunks: AsyncIterable<Buffer>): Promise<Readable> => {
    const stream = Readable.from(chunks, { objectMode: false })
    opened.push(stream)
    return Promise.resolve(stream)
  }
  const give = (content: string) => from(Readable.from([Buffer.from(content)]))

  before(async () => {
    http = await startHttp({
      routes: [
        {
          method: 'GET',
          path: '/files/:name',
          guard: 'open',
          handle: ({ params }) => ({
            status: 200,
            headers: { 'Content-Type': 'text/plain; charset=utf-8', Vary: 'Authorization' },
            content: contents[params['name'] ?? '']!,
          }),
        },
      ],
    })
  })
  beforeEach(() => (opened = []))
  after(() => http.stop())

  // Sets `Cache-Control`, because `fetch` adds `no-cache` to conditional requests by default.
  const get = (name: string, headers: Record<string, string> = {}, method = 'GET') =>
    http.send(method, `/files/${name}`, { headers: { 'Cache-Control': 'max-age=0', ...headers } })

  it('contain the bytes, ETag, modification date and the headers of the reply', async () => {
    const answer = await get('note.txt')
    expect([answer.status, answer.text]).to.deep.equal([200, text])
    expect(Object.fromEntries(answer.headers)).to.include({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '10',
      vary: 'Authorization',
      etag,
      'last-modified': modified,
      'accept-ranges': 'bytes',
    })
    expect((await get('none.txt')).headers.get('content-length')).to.equal('0')
  })

  it('do not open the content for HEAD', async () => {
    const head = await get('note.txt', {}, 'HEAD')
    expect([head.status, head.text, head.headers.get('content-length')]).to.deep.equal([
      200,
      '',
      '10',
    ])
    expect(opened).to.deep.equal([])
  })

  it('ignore the Range header of a HEAD request', async () => {
    for (const range of ['bytes=2-4', 'bytes=10-']) {
      const { status, headers } = await get('note.txt', { Range: range }, 'HEAD')
      expect([status, headers.get('content-length')], range).to.deep.equal([200, '10'])
      expect(headers.has('content-range'), range).to.equal(false)
    }
  })

  it('contain one requested range', async () => {
    for (const [range, sent, contentRange] of [
      ['bytes=2-4', '234', '2-4'],
      ['bytes=7-', '789', '7-9'],
      ['bytes=-2', '89', '8-9'],
      ['bytes=8-100', '89', '8-9'],
      ['bytes=-10', text, '0-9'],
      ['bytes=-100', text, '0-9'],
      ['bytes=-99999999999999999999', text, '0-9'],
      ['bytes=0-2,3-4', '01234', '0-4'],
    ] as const) {
      const answer = await get('note.txt', { Range: range })
      expect([answer.status, answer.text], range).to.deep.equal([206, sent])
      expect(answer.headers.get('content-range')).to.equal(`bytes ${contentRange}/10`)
    }
  })

  it('contain the whole content for several ranges or an invalid Range header', async () => {
    for (const range of ['bytes=0-1,5-6', 'lines=1-2', 'bytes=x', 'nothing']) {
      const answer = await get('note.txt', { Range: range })
      expect([answer.status, answer.text], range).to.deep.equal([200, text])
    }
  })

  it('are a 416 for a range outside the content', async () => {
    const answer = await get('note.txt', { Range: 'bytes=10-' })
    expect(answer.status).to.equal(416)
    expect(answer.headers.get('content-range')).to.equal('bytes */10')
    expect(answer.headers.has('etag')).to.equal(false)
    expect(answer.body).to.have.nested.property('error.name', 'RangeNotSatisfiableError')
  })

  it('contain the range only if If-Range matches, otherwise the whole content', async () => {
    const ask = (condition: string) =>
      get('note.txt', { Range: 'bytes=2-4', 'If-Range': condition })
    expect((await ask(etag)).status).to.equal(206)
    expect((await ask(modified)).status).to.equal(206)
    for (const other of ['"other"', `W/${etag}`, 'Sun, 05 May 2024 07:08:09 GMT', 'x'])
      expect((await ask(other)).status, other).to.equal(200)
  })

  it('are a 304 without opening the content if the client has it', async () => {
    for (const headers of [
      { 'If-None-Match': etag },
      { 'If-None-Match': `"other", W/${etag}` },
      { 'If-None-Match': '*' },
      { 'If-Modified-Since': modified },
      { 'If-None-Match': etag, Range: 'bytes=2-4' },
    ]) {
      const answer = await get('note.txt', headers)
      expect([answer.status, answer.text], JSON.stringify(headers)).to.deep.equal([304, ''])
      expect(answer.headers.get('etag')).to.equal(etag)
      expect(answer.headers.has('content-type')).to.equal(false)
    }
    expect(opened).to.deep.equal([])
    const other = { 'If-None-Match': '"other"', 'If-Modified-Since': modified }
    expect((await get('note.txt', other)).status).to.equal(200)
  })

  it('are a 404 without content headers if the content no longer exists', async () => {
    const answer = await get('gone.txt')
    expect([answer.status, answer.body]).to.deep.equal([404, notFound])
    expect(answer.headers.get('content-type')).to.equal('application/json; charset=utf-8')
    expect(answer.headers.has('etag')).to.equal(false)
  })

  it('are a 503 without content headers if the content cannot be read', async () => {
    for (const name of ['refused.txt', 'unreadable.txt']) {
      const answer = await get(name)
      expect([answer.status, answer.body], name).to.deep.equal([
        503,
        errorBody(
          503,
          'ServiceUnavailableError',
          'The content of the file cannot be read at present',
          {},
        ),
      ])
      expect(answer.headers.get('retry-after')).to.equal('1')
      expect(answer.headers.has('content-range')).to.equal(false)
    }
    for (const stream of opened) expect(stream.destroyed).to.equal(true)
  })

  it('cut the connection if the content fails midway or is too short', async () => {
    for (const name of ['broken.txt', 'short.txt']) {
      const failure = await get(name).catch((error: unknown) => error)
      expect(failure, name).to.be.instanceOf(Error)
    }
    for (const stream of opened) expect(stream.destroyed).to.equal(true)
  })

  it('close the content when the client disconnects', async () => {
    const socket = connect(Number(new URL(http.url).port), '127.0.0.1')
    socket.write('GET /files/endless.txt HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(socket, 'data')
    socket.destroy()
    while (opened[0]?.destroyed !== true) await sleep(5)
    expect(opened.length).to.equal(1)
  })
})

async function* failing(after: number): AsyncGenerator<Buffer> {
  if (after > 0) yield Buffer.alloc(after)
  await sleep(1)
  throw new Error('EIO')
}

async function* endless(): AsyncGenerator<Buffer> {
  for (;;) {
    yield Buffer.alloc(65_536)
    await sleep(1)
  }
}
