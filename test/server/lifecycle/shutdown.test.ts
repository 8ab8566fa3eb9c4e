import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { eventually } from '../database/support.js'
import { reply, type Route } from '../../../server/http/route.js'
import { startHttp } from '../../support/start-http.js'

const quick: Route = {
  method: 'GET',
  path: '/slow',
  guard: 'open',
  handle: () => reply(200, 'done'),
}

/**
 * Returns a route whose handler waits for `isLetThrough`, and its state, which also counts started and aborted
 * requests.
 */
function gated() {
  const state = { begun: 0, aborted: 0, isLetThrough: false }
  const handle: Route['handle'] = async ({ signal }) => {
    signal.addEventListener('abort', () => (state.aborted += 1))
    state.begun += 1
    await eventually(() => state.isLetThrough)
    return reply(200, 'done')
  }
  return { state, route: { ...quick, handle } }
}

/**
 * Sends text to a service. `received` resolves with all data of the response when the connection ends, and rejects on
 * an error.
 */
function begin(url: string, text: string): Readonly<{ socket: Socket; received: Promise<string> }> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const received = new Promise<string>((resolve, reject) => {
    let all = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => (all += chunk))
    socket.once('error', reject).once('close', () => resolve(all))
  })
  // Prevents an unhandled rejection if a test does not await `received`.
  received.catch(() => undefined)
  socket.write(text)
  return { socket, received }
}

const getRequest = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

const answersIn = (text: string): readonly string[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d+)[^]*?\r\nConnection: (\S+)/g)].map(
    ([, status, connection]) => `${status} ${connection}`,
  )

/** Opens a connection. Returns the error code if it is refused, undefined if it is accepted. */
async function codeOf(url: string): Promise<string | undefined> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  try {
    await once(socket, 'connect')
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  } finally {
    socket.destroy()
  }
}

const inNextTick = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))

describe('shutdown', () => {
  let accepted: Socket[] = []
  const accept = (message: unknown) => void accepted.push((message as { socket: Socket }).socket)
  before(() => subscribe('net.server.socket', accept))
  after(() => void unsubscribe('net.server.socket', accept))
  beforeEach(() => (accepted = []))
  const untilRead = (bytes: number) =>
    eventually(() => accepted.some(({ bytesRead }) => bytesRead === bytes))

  it('finishes requests in flight and accepts no new connections', async () => {
    const { state, route } = gated()
    const http = await startHttp({ routes: [route] })
    await http.send('GET', '/nope')
    const pending = http.send('GET', '/slow')
    await eventually(() => state.begun === 1)
    // This timeout is longer than that of the test, so `stop` can only end because all requests have ended.
    const stopping = http.stop(600_000)
    await eventually(async () => (await codeOf(http.url)) === 'ECONNREFUSED')
    state.isLetThrough = true
    expect((await pending).body).to.equal('done')
    await stopping
  })

  it('accepts requests during the delay for load balancers, and closes each connection after its next response', async () => {
    const http = await startHttp({ routes: [quick] })
    const before = await fetch(`${http.url}/slow`)
    expect(before.headers.get('Connection')).to.equal('keep-alive')
    const stopping = http.stop(60_000, 20, 2000)
    const late = await fetch(`${http.url}/slow`, { headers: { 'X-Late': '1' } })
    expect([late.status, late.headers.get('Connection')]).to.deep.equal([200, 'close'])
    await stopping
    expect(await codeOf(http.url)).to.equal('ECONNREFUSED')
  })

  it('closes connections that do not finish in time', async () => {
    const { state, route } = gated()
    const http = await startHttp({ routes: [route] })
    const pending = http.send('GET', '/slow').catch(() => 'cut')
    await eventually(() => state.begun === 1)
    await http.stop(50)
    expect(await pending).to.equal('cut')
    state.isLetThrough = true
  })

  it('aborts the signal of a handler when its client disconnects', async () => {
    const { state, route } = gated()
    const http = await startHttp({ routes: [route] })
    const controller = new AbortController()
    const pending = http.send('GET', '/slow', { signal: controller.signal }).catch(() => 'gone')
    await eventually(() => state.begun === 1)
    controller.abort()
    expect(await pending).to.equal('gone')
    await eventually(() => state.aborted === 1)
    state.isLetThrough = true
    await http.stop()
  })

  it('answers connections that the system has accepted, but the service has not', async () => {
    const http = await startHttp({ routes: [quick] })
    const clients = Array.from({ length: 50 }, () => begin(http.url, getRequest('/slow')))
    // Then the system has accepted the connections, but the service has not had time to do so.
    await inNextTick()
    await inNextTick()
    const stopping = http.stop(60_000, 30_000)
    for (const { received } of clients)
      expect(answersIn(await received)).to.deep.equal(['200 close'])
    await stopping
  })

  for (const held of [1, 3])
    it(`answers all pipelined requests, and closes with the last response (response ${held} waits)`, async () => {
      let begun = 0
      let isLetThrough = false
      const counted: Route = {
        ...quick,
        handle: async () => {
          begun += 1
          if (begun === held) await eventually(() => isLetThrough)
          return reply(200, 'done')
        },
      }
      const http = await startHttp({ routes: [counted] })
      const { socket, received } = begin(http.url, getRequest('/slow').repeat(3))
      await untilRead(getRequest('/slow').length * 3)
      await eventually(() => begun === held)
      const stopping = http.stop(60_000)
      await eventually(async () => (await codeOf(http.url)) === 'ECONNREFUSED')
      socket.write(getRequest('/slow'))
      await untilRead(getRequest('/slow').length * 4)
      isLetThrough = true
      const expected = ['200 keep-alive', '200 keep-alive', '200 keep-alive', '200 close']
      expect(answersIn(await received)).to.deep.equal(expected)
      await stopping
    })

  it('waits for the rest of a partial request', async () => {
    const http = await startHttp({ routes: [quick] })
    const beginning = 'GET /slow HTTP/1.1\r\n'
    const { socket, received } = begin(http.url, beginning)
    await untilRead(beginning.length)
    const stopping = http.stop(60_000, 20)
    // Waits for several times the idle timeout of connections without a request.
    await sleep(100)
    socket.write('Host: x\r\n\r\n')
    expect(answersIn(await received)).to.deep.equal(['200 close'])
    await stopping
  })

  it('does not reset a connection whose response is sent before its request is complete', async () => {
    const http = await startHttp()
    const { hostname, port } = new URL(http.url)
    const size = 8_000_000
    const head = `POST /nope HTTP/1.1\r\nHost: x\r\nContent-Length: ${size}\r\n\r\n`
    const socket = connect(Number(port), hostname)
    socket.write(head + 'x')
    // These timeouts are longer than the responses take, so the last response ends the connection.
    const stopping = http.stop(60_000, 30_000)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).to.match(/^HTTP\/1\.1 404 /)
    const sent = new Promise<void>((resolve, reject) => {
      socket.once('error', reject)
      socket.write(Buffer.alloc(size - 1), () => resolve())
    })
    await sent
    socket.write(getRequest('/nope'))
    const [last] = (await once(socket, 'data')) as [Buffer]
    expect(answersIn(last.toString())).to.deep.equal(['404 close'])
    await stopping
  })
})
