import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { eventually } from '../database/support.js'
import { errorBody } from '../../support/error-body.js'
import { fullGrant } from '../../../engine/schema/grant.js'
import type { Access } from '../../../server/http/routes/authorizer.js'
import { reply, type Route } from '../../../server/http/route.js'
import type { Settings } from '../../../server/settings/settings.js'
import { startHttp, type RunningHttp } from '../../support/start-http.js'

const access: Access = {
  authorize: () => Promise.resolve({ kind: 'public', grant: fullGrant }),
}
const content = 'x'.repeat(100_000)

describe('Uploads beyond upload.parallel', () => {
  let http: RunningHttp
  let begun: string[] = []
  let reading = { now: 0, most: 0 }
  /** Holds handlers back while it is set. */
  let gate: Promise<void> | undefined
  let open: Upload[] = []

  const start = async (settings: Partial<Settings>) => {
    const upload: Route = {
      ...{ method: 'POST', path: '/upload', guard: { action: 'upload' } },
      multipart: true,
      keep: ({ fileName }) => {
        begun.push(fileName)
        return Promise.resolve(async (stream) => {
          reading.most = Math.max(reading.most, (reading.now += 1))
          let size = 0
          for await (const chunk of stream as AsyncIterable<Buffer>) size += chunk.byteLength
          // What was read is stored when the store says so.
          await sleep(20)
          reading.now -= 1
          return { what: size, discard: () => Promise.resolve() }
        })
      },
      handle: async ({ files }) => {
        await gate
        return reply(
          200,
          files.map(({ fileName, size }) => `${fileName} ${size}`),
        )
      },
    }
    const free: Route = {
      ...{ method: 'GET', path: '/free', guard: 'open', handle: () => reply(204) },
    }
    http = await startHttp({ routes: [upload, free], access, settings })
  }
  beforeEach(() => {
    begun = []
    reading = { now: 0, most: 0 }
    gate = undefined
    open = []
  })
  afterEach(async () => {
    for (const { socket } of open) socket.destroy()
    await http.stop()
  })

  const send = async (...names: readonly string[]): Promise<Upload> => {
    const upload = await beginUpload(http.url, names)
    open.push(upload)
    return upload
  }
  const untilBegun = async (count: number) => {
    await eventually(() => begun.length >= count)
    expect(begun.length).to.equal(count)
  }
  /** Whatever came before has been looked at when this was answered. */
  const roundTrips = async () => {
    for (let i = 0; i < 5; i++) expect((await http.send('GET', '/free')).status).to.equal(204)
  }

  it('wait unread until one is stored, in their order', async () => {
    await start({ 'upload.parallel': 2 })
    const first = await send('a')
    const second = await send('b')
    await untilBegun(2)
    const third = await send('c')
    third.finish()
    await roundTrips()
    const fourth = await send('d')
    fourth.finish()
    await roundTrips()
    expect(begun).to.deep.equal(['a', 'b'])
    let openGate = (): void => undefined
    gate = new Promise((resolve) => (openGate = resolve))
    second.finish()
    await roundTrips()
    // What has arrived and is not stored has its place still.
    expect(begun).to.deep.equal(['a', 'b'])
    openGate()
    gate = undefined
    expect(await second.answer).to.deep.equal({ status: 200, body: ['b 100000'] })
    expect(await third.answer).to.deep.equal({ status: 200, body: ['c 100000'] })
    expect(await fourth.answer).to.deep.equal({ status: 200, body: ['d 100000'] })
    first.finish()
    expect(await first.answer).to.deep.equal({ status: 200, body: ['a 100000'] })
    expect(begun).to.deep.equal(['a', 'b', 'c', 'd'])
  })

  it('take the place of one whose client has gone', async () => {
    await start({ 'upload.parallel': 1 })
    const first = await send('a')
    await untilBegun(1)
    const second = await send('b')
    await roundTrips()
    first.socket.destroy()
    await untilBegun(2)
    second.finish()
    expect(await second.answer).to.deep.equal({ status: 200, body: ['b 100000'] })
  })

  it('are passed over where their client goes while they wait', async () => {
    await start({ 'upload.parallel': 1, 'upload.queueLimit': 2 })
    const first = await send('a')
    await untilBegun(1)
    // Of the one the head has arrived, of the other more than is read ahead.
    const second = await send()
    const third = await send('c')
    await roundTrips()
    second.socket.destroy()
    third.socket.destroy()
    await roundTrips()
    const fourth = await send('d')
    fourth.finish()
    await roundTrips()
    first.finish()
    expect((await first.answer).status).to.equal(200)
    expect(await fourth.answer).to.deep.equal({ status: 200, body: ['d 100000'] })
    expect(begun.filter((name) => name !== 'c')).to.deep.equal(['a', 'd'])
  })

  it('are refused with 503 if the queue is full', async () => {
    await start({ 'upload.parallel': 1, 'upload.queueLimit': 1 })
    const first = await send('a')
    await untilBegun(1)
    const second = await send('b')
    await roundTrips()
    const message = 'Too many uploads are waiting. Nothing was changed'
    const third = await send('c')
    const body = errorBody(503, 'ServiceUnavailableError', message, { outcome: 'not-done' })
    expect(await third.answer).to.deep.equal({ status: 503, body })
    expect(third.head()).to.match(/^retry-after: \d+$/im)
    for (const upload of [first, second]) {
      upload.finish()
      expect((await upload.answer).status).to.equal(200)
    }
    expect(begun).to.deep.equal(['a', 'b'])
  })

  it('are refused with 503 if they wait too long in the queue', async () => {
    await start({ 'upload.parallel': 1, 'upload.queueTimeoutMs': 500 })
    const first = await send('a')
    await untilBegun(1)
    const second = await send('b')
    const message = 'The upload waited for too long'
    const body = errorBody(503, 'ServiceUnavailableError', message, { outcome: 'not-done' })
    expect(await second.answer).to.deep.equal({ status: 503, body })
    expect(second.head()).to.match(/^retry-after: 10$/im)
    first.finish()
    expect((await first.answer).status).to.equal(200)
    const third = await send('c')
    third.finish()
    expect((await third.answer).status).to.equal(200)
  })

  it('are not cut off while they wait, though nothing of them arrives', async () => {
    const timeouts = { 'http.requestTimeoutMs': 600, 'api.rest.queryTimeoutMs': 100 }
    await start({ 'upload.parallel': 1, ...timeouts })
    let openGate = (): void => undefined
    gate = new Promise((resolve) => (openGate = resolve))
    const first = await send('a')
    first.finish()
    await untilBegun(1)
    const second = await send('b')
    second.finish()
    // Longer than a body may take.
    await sleep(1600)
    openGate()
    expect(await second.answer).to.deep.equal({ status: 200, body: ['b 100000'] })
  })

  it('are no more files than requests: of one, the next is read when the former is stored', async () => {
    await start({ 'upload.parallel': 1 })
    const upload = await send('a', 'b', 'c')
    upload.finish()
    const body = ['a 100000', 'b 100000', 'c 100000']
    expect(await upload.answer).to.deep.equal({ status: 200, body })
    expect(reading).to.deep.equal({ now: 0, most: 1 })
  })
})

type Upload = Awaited<ReturnType<typeof beginUpload>>

/** Sends an upload of files of these names but for its end. */
async function beginUpload(url: string, names: readonly string[]) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
  await once(socket, 'connect')
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  const head = () => Buffer.concat(chunks).toString()
  const answer = (async () => {
    for (;;) {
      const found = /^HTTP\/1.1 (\d+)[^]*?content-length: (\d+)[^]*?\r\n\r\n/i.exec(head())
      const text = found === null ? '' : head().slice(found[0].length)
      if (found !== null && text.length === Number(found[2]))
        return { status: Number(found[1]), body: JSON.parse(text) as unknown }
      if (socket.destroyed) return { status: 0, body: head() }
      await sleep(5)
    }
  })()
  const parts = names.map(
    (name) =>
      `--b\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\n\r\n${content}\r\n`,
  )
  const tail = '--b--\r\n'
  const body = parts.join('')
  await new Promise<void>((resolve) => {
    socket.write(
      'POST /upload HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\n' +
        `Content-Length: ${body.length + tail.length}\r\n\r\n${body}`,
      () => resolve(),
    )
  })
  return { socket, head, answer, finish: () => void socket.write(tail) }
}
