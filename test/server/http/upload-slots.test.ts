import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { eventually } from '../database/support.js'
import { errorBody } from '../../support/error-body.js'
import { fullGrant } from '../../../engine/schema/grant.js'
import { type Access, reply, type Route } from '../../../server/http/route.js'
import type { Settings } from '../../../server/settings/settings.js'
import { startHttp, type RunningHttp } from '../../support/start-http.js'

const access: Access = {
  authorize: () => Promise.resolve({ kind: 'public', grant: fullGrant }),
}
const content = 'x'.repeat(100_000)

describe('uploads beyond upload.parallel', () => {
  let http: RunningHttp
  let started: string[] = []
  let reading = { now: 0, most: 0 }
  let gate: Promise<void> | undefined
  let open: Upload[] = []

  const start = async (settings: Partial<Settings>) => {
    const upload: Route = {
      ...{ method: 'POST', path: '/upload', guard: { action: 'upload' } },
      multipart: true,
      keep: ({ fileName }) => {
        started.push(fileName)
        return Promise.resolve(async (stream) => {
          reading.most = Math.max(reading.most, (reading.now += 1))
          let size = 0
          for await (const chunk of stream as AsyncIterable<Buffer>) size += chunk.byteLength
          // As if storing took a while after the content was read.
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
    started = []
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
  const untilStarted = async (count: number) => {
    await eventually(() => started.length >= count)
    expect(started.length).to.equal(count)
  }
  /** Waits until the service has handled everything that was sent before. */
  const roundTrips = async () => {
    for (let i = 0; i < 5; i++) expect((await http.send('GET', '/free')).status).to.equal(204)
  }

  it('wait unread in order until an earlier upload is stored', async () => {
    await start({ 'upload.parallel': 2 })
    const first = await send('a')
    const second = await send('b')
    await untilStarted(2)
    const third = await send('c')
    third.finish()
    await roundTrips()
    const fourth = await send('d')
    fourth.finish()
    await roundTrips()
    expect(started).to.deep.equal(['a', 'b'])
    let openGate = (): void => undefined
    gate = new Promise((resolve) => (openGate = resolve))
    second.finish()
    await roundTrips()
    // An upload that has arrived but is not stored yet keeps its slot.
    expect(started).to.deep.equal(['a', 'b'])
    openGate()
    gate = undefined
    expect(await second.answer).to.deep.equal({ status: 200, body: ['b 100000'] })
    expect(await third.answer).to.deep.equal({ status: 200, body: ['c 100000'] })
    expect(await fourth.answer).to.deep.equal({ status: 200, body: ['d 100000'] })
    first.finish()
    expect(await first.answer).to.deep.equal({ status: 200, body: ['a 100000'] })
    expect(started).to.deep.equal(['a', 'b', 'c', 'd'])
  })

  it('get the slot of an upload whose client disconnects', async () => {
    await start({ 'upload.parallel': 1 })
    const first = await send('a')
    await untilStarted(1)
    const second = await send('b')
    await roundTrips()
    first.socket.destroy()
    await untilStarted(2)
    second.finish()
    expect(await second.answer).to.deep.equal({ status: 200, body: ['b 100000'] })
  })

  it('leave the queue if their client disconnects', async () => {
    await start({ 'upload.parallel': 1, 'upload.queueLimit': 2 })
    const first = await send('a')
    await untilStarted(1)
    // Of `second`, only the head has arrived; of `third`, more than the read-ahead buffer can hold.
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
    expect(started.filter((name) => name !== 'c')).to.deep.equal(['a', 'd'])
  })

  it('are rejected with 503 if the queue is full', async () => {
    await start({ 'upload.parallel': 1, 'upload.queueLimit': 1 })
    const first = await send('a')
    await untilStarted(1)
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
    expect(started).to.deep.equal(['a', 'b'])
  })

  it('are rejected with 503 if they wait too long in the queue', async () => {
    await start({ 'upload.parallel': 1, 'upload.queueTimeoutMs': 500 })
    const first = await send('a')
    await untilStarted(1)
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

  it('are not aborted by the request timeout while they wait', async () => {
    const timeouts = { 'http.requestTimeoutMs': 600, 'api.rest.queryTimeoutMs': 100 }
    await start({ 'upload.parallel': 1, ...timeouts })
    let openGate = (): void => undefined
    gate = new Promise((resolve) => (openGate = resolve))
    const first = await send('a')
    first.finish()
    await untilStarted(1)
    const second = await send('b')
    second.finish()
    // Waits for longer than the time limit for receiving a body.
    await sleep(1600)
    openGate()
    expect(await second.answer).to.deep.equal({ status: 200, body: ['b 100000'] })
  })

  it('store the files of one request one after the other', async () => {
    await start({ 'upload.parallel': 1 })
    const upload = await send('a', 'b', 'c')
    upload.finish()
    const body = ['a 100000', 'b 100000', 'c 100000']
    expect(await upload.answer).to.deep.equal({ status: 200, body })
    expect(reading).to.deep.equal({ now: 0, most: 1 })
  })
})

type Upload = Awaited<ReturnType<typeof beginUpload>>

/** Sends all of an upload except its end. */
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
