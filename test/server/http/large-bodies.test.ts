import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import express from 'express'
import { fullGrant } from '../../../engine/schema/grant.js'
import { createBodyBudget } from '../../../server/http/request/body-budget.js'
import { createBodyReader } from '../../../server/http/request/body.js'
import { passOver } from '../../../server/http/request/pass-over.js'
import type { Route } from '../../../server/http/route.js'
import { reply } from '../../../server/http/route.js'
import { errorBody } from '../../support/error-body.js'
import { startHttp, type HttpParts, type RunningHttp } from '../../support/start-http.js'
import { eventually } from '../database/support.js'

const bodyLimit = { bytes: 150_000, bound: 'api.rest.maxAnswerBytes' }
const large: Route = {
  method: 'POST',
  path: '/large',
  guard: { action: 'api::x.x.create' },
  bodyLimit,
  handle: () => reply(200),
}
const caller = { kind: 'public', grant: fullGrant } as const
const access = { authorize: () => Promise.resolve(caller) }
const settings = { 'http.maxBodyMemory': 200_000 }

async function sendHead(url: string, ...headers: readonly string[]): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const all = ['Host: x', 'Content-Type: application/json', ...headers].join('\r\n')
  socket.write(`POST /large HTTP/1.1\r\n${all}\r\n\r\n`)
  return socket
}

describe('large bodies', () => {
  let http: RunningHttp
  const start = async (parts: HttpParts = {}): Promise<void> => {
    http = await startHttp({ settings, access, routes: [large], ...parts })
  }
  afterEach(() => http.stop())
  const post = (bytes: number) =>
    http.send('POST', '/large', {
      body: JSON.stringify('x'.repeat(bytes - 4)).replace(/.*/s, (text) => `[${text}]`),
      headers: { 'Content-Type': 'application/json' },
    })

  it('leave memory for small bodies, and release theirs after the response', async () => {
    await start()
    const body = `[${' '.repeat(39_000)}]`
    const slowClient = await sendHead(http.url, `Content-Length: ${body.length}`)
    slowClient.write(body.slice(0, -1))
    await eventually(async () => (await post(40_000)).status === 503)
    const refused = await post(40_000)
    expect([refused.status, refused.headers.get('Retry-After')]).to.deep.equal([503, '1'])
    expect(refused.body).to.deep.equal(
      errorBody(
        503,
        'ServiceUnavailableError',
        'Too many large bodies are being received or processed (http.maxBodyMemory)',
        { outcome: 'not-done' },
      ),
    )
    expect((await post(10_000)).status).to.equal(200)
    slowClient.write(body.slice(-1))
    const [answer] = (await once(slowClient, 'data')) as [Buffer]
    expect(answer.toString()).to.match(/^HTTP\/1\.1 200 /)
    slowClient.destroy()
    expect((await post(40_000)).status).to.equal(200)
  })

  it('release their memory when the client disconnects', async () => {
    await start()
    const slowClient = await sendHead(http.url, 'Transfer-Encoding: chunked')
    slowClient.write(`9c40\r\n${' '.repeat(40_000)}\r\n`)
    await eventually(async () => (await post(40_000)).status === 503)
    slowClient.destroy()
    await eventually(async () => (await post(40_000)).status === 200)
  })

  it('are rejected with 413 if one exceeds the memory limit of a single body', async () => {
    await start()
    const answer = await post(140_000)
    expect([answer.status, answer.body]).to.deep.equal([
      413,
      errorBody(413, 'PayloadTooLargeError', 'request entity too large (http.maxBodyMemory)'),
    ])
  })

  it('count with the memory of their parsed values and their decompressed bytes', async () => {
    await start()
    const headers = { 'Content-Type': 'application/json' }
    const values = await http.send('POST', '/large', {
      body: `[${'[],'.repeat(1600)}[]]`,
      headers,
    })
    expect(values.status).to.equal(413)
    const compressed = await http.send('POST', '/large', {
      body: gzipSync(`[${' '.repeat(140_000)}]`),
      headers: { ...headers, 'Content-Encoding': 'gzip' },
    })
    expect(compressed.status).to.equal(413)
  })

  it('are read only up to a limit after a rejection, then the connection is closed', async () => {
    for (const [parts, status] of [
      [{ access: undefined }, 403],
      [{}, 413],
    ] as const) {
      await start(parts as HttpParts)
      const socket = await sendHead(http.url, 'Transfer-Encoding: chunked')
      const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
      let sent = 0
      let received = ''
      socket.on('data', (data) => (received += data.toString())).on('error', () => undefined)
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
      const send = (): void => {
        while (!socket.destroyed && socket.write(chunk)) sent += chunk.length
        sent += chunk.length
      }
      socket.on('drain', send)
      send()
      await closed
      // The service has read less: these bytes include the socket buffers of both sides.
      expect(sent).to.be.below(64 * 1024 * 1024)
      // The connection of a client that is still sending may be reset before it has read the response.
      if (received !== '')
        expect(received).to.match(new RegExp(`^HTTP/1.1 ${status} [^]*Connection: close`, 'i'))
      await http.stop()
    }
    await start()
  })

  it('keep the connection open after a rejection if the whole body was discarded', async () => {
    await start({ access: undefined as never })
    const answer = await post(140_000)
    expect([answer.status, answer.headers.get('Connection')]).to.deep.equal([403, 'keep-alive'])
  })
})

describe('body that is rejected while it arrives', () => {
  it('releases the memory of its text', async () => {
    const limit = 16 * 2 ** 20
    const read = createBodyReader(limit, createBodyBudget(Infinity))
    const refused: unknown[] = []
    const app = express().use((request, response) => {
      read(request, response).catch((error: unknown) => refused.push(error))
    })
    const server = createServer(app).listen(0, '127.0.0.1')
    try {
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      const before = await heapBytes()
      const head = 'Transfer-Encoding: chunked'
      const socket = await sendHead(`http://127.0.0.1:${port}`, head)
      socket.write(`${(limit + 1).toString(16)}\r\n${' '.repeat(limit + 1)}`)
      await eventually(() => refused.length === 1)
      expect(await heapBytes()).to.be.below(before + limit / 2)
      socket.destroy()
    } finally {
      server.close()
    }
  })

  async function heapBytes(): Promise<number> {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    // Waits for the next turn of the event loop, because objects that this one references cannot be collected in it.
    await new Promise((resolve) => setImmediate(resolve))
    collect()
    return process.memoryUsage().heapUsed
  }
})

describe('work that continues after the response', () => {
  it('keeps the queue slot of its request', async () => {
    let end = (): void => undefined
    const running = new Promise<void>((resolve) => (end = resolve))
    let started = 0
    const slow: Route = {
      ...large,
      cost: () => 5000,
      handle: ({ outlasts }) => {
        started += 1
        if (started === 1) outlasts?.(running)
        return reply(200)
      },
    }
    const quick: Route = { ...large, path: '/quick' }
    const routes = [slow, quick]
    const http = await startHttp({ settings: { 'api.rest.maxInlineReads': 4 }, access, routes })
    try {
      const post = (path: string) => http.send('POST', path, { body: {} })
      expect((await post('/large')).status).to.equal(200)
      const second = post('/large')
      for (let at = 0; at < 5; at += 1) expect((await post('/quick')).status).to.equal(200)
      expect(started).to.equal(1)
      end()
      expect((await second).status).to.equal(200)
    } finally {
      await http.stop()
    }
  })
})

describe('discarding of a rejected body', () => {
  it('stops at a limit of bytes and of time', async () => {
    const passed: boolean[] = []
    const server = createServer((request: IncomingMessage, response) => {
      void passOver(request, { bytes: 1000, ms: 50 }).then((isAll) => {
        passed.push(isAll)
        response.setHeader('Connection', 'close').end()
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    try {
      for (const [header, body] of [
        ['Content-Length: 1000', 'x'.repeat(1000)],
        ['Content-Length: 1000', 'x'.repeat(999)],
        ['Content-Length: 1001', ''],
        ['Transfer-Encoding: chunked', `3e9\r\n${'x'.repeat(1001)}\r\n`],
      ] as const) {
        const socket = await sendHead(url, header)
        socket.resume().on('error', () => undefined)
        socket.write(body)
        await once(socket, 'close')
      }
      expect(passed).to.deep.equal([true, false, false, false])
    } finally {
      server.close()
    }
  })
})
