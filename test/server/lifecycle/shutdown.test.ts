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

/** One whose handler waits until it is let through; how often it has begun, and been told that its client is gone. */
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

/** A connection that sends `text`, and all that it receives until it ends; an error of it rejects. */
function begin(url: string, text: string): Readonly<{ socket: Socket; received: Promise<string> }> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const received = new Promise<string>((resolve, reject) => {
    let all = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => (all += chunk))
    socket.once('error', reject).once('close', () => resolve(all))
  })
  // Whoever does not wait for it is told by what else fails.
  received.catch(() => undefined)
  socket.write(text)
  return { socket, received }
}

const ask = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

/** Status and `Connection` of every answer in a text. */
const answersIn = (text: string): readonly string[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d+)[^]*?\r\nConnection: (\S+)/g)].map(
    ([, status, connection]) => `${status} ${connection}`,
  )

/** What a new connection ends with; undefined = it is let in. */
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
  /** The server's ends of all connections of a test. */
  let accepted: Socket[] = []
  const accept = (told: unknown) => void accepted.push((told as { socket: Socket }).socket)
  before(() => subscribe('net.server.socket', accept))
  after(() => void unsubscribe('net.server.socket', accept))
  beforeEach(() => (accepted = []))
  /** Until the service has read so many bytes of a connection. */
  const untilRead = (bytes: number) =>
    eventually(() => accepted.some(({ bytesRead }) => bytesRead === bytes))

  it('finishes what is in flight and accepts nothing new', async () => {
    const { state, route } = gated()
    const http = await startHttp({ routes: [route] })
    await http.send('GET', '/nope')
    const pending = http.send('GET', '/slow')
    await eventually(() => state.begun === 1)
    // Longer than the runner waits: it ends because nothing is left to be done.
    const stopping = http.stop(600_000)
    await eventually(async () => (await codeOf(http.url)) === 'ECONNREFUSED')
    state.isLetThrough = true
    expect((await pending).body).to.equal('done')
    await stopping
  })

  it('goes on for a while where load balancers ask, and ends each connection with its next answer', async () => {
    const http = await startHttp({ routes: [quick] })
    const kept = await fetch(`${http.url}/slow`)
    expect(kept.headers.get('Connection')).to.equal('keep-alive')
    const stopping = http.stop(60_000, 20, 2000)
    const late = await fetch(`${http.url}/slow`, { headers: { 'X-Late': '1' } })
    expect([late.status, late.headers.get('Connection')]).to.deep.equal([200, 'close'])
    await stopping
    expect(await codeOf(http.url)).to.equal('ECONNREFUSED')
  })

  it('cuts what does not finish in time', async () => {
    const { state, route } = gated()
    const http = await startHttp({ routes: [route] })
    const pending = http.send('GET', '/slow').catch(() => 'cut')
    await eventually(() => state.begun === 1)
    await http.stop(50)
    expect(await pending).to.equal('cut')
    state.isLetThrough = true
  })

  it('tells a handler when its client is gone', async () => {
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

  it('answers who was let in by the system, though not by the service yet', async () => {
    const http = await startHttp({ routes: [quick] })
    const clients = Array.from({ length: 50 }, () => begin(http.url, ask('/slow')))
    // By now the system has let them in; the service has had no turn to accept them.
    await inNextTick()
    await inNextTick()
    // Longer than the answers take, each of which ends its connection.
    const stopping = http.stop(60_000, 30_000)
    for (const { received } of clients)
      expect(answersIn(await received)).to.deep.equal(['200 close'])
    await stopping
  })

  for (const held of [1, 3])
    it(`answers all that a connection has sent ahead, and says so with the last answer (answer ${held} waits)`, async () => {
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
      const { socket, received } = begin(http.url, ask('/slow').repeat(3))
      await untilRead(ask('/slow').length * 3)
      await eventually(() => begun === held)
      const stopping = http.stop(60_000)
      await eventually(async () => (await codeOf(http.url)) === 'ECONNREFUSED')
      socket.write(ask('/slow'))
      await untilRead(ask('/slow').length * 4)
      isLetThrough = true
      const expected = ['200 keep-alive', '200 keep-alive', '200 keep-alive', '200 close']
      expect(answersIn(await received)).to.deep.equal(expected)
      await stopping
    })

  it('waits for the rest of a request whose beginning has come', async () => {
    const http = await startHttp({ routes: [quick] })
    const beginning = 'GET /slow HTTP/1.1\r\n'
    const { socket, received } = begin(http.url, beginning)
    await untilRead(beginning.length)
    const stopping = http.stop(60_000, 20)
    // As long as connections without a request are kept, several times.
    await sleep(100)
    socket.write('Host: x\r\n\r\n')
    expect(answersIn(await received)).to.deep.equal(['200 close'])
    await stopping
  })

  it('resets nobody who is answered before all is sent', async () => {
    const http = await startHttp()
    const { hostname, port } = new URL(http.url)
    const size = 8_000_000
    const head = `POST /nope HTTP/1.1\r\nHost: x\r\nContent-Length: ${size}\r\n\r\n`
    const socket = connect(Number(port), hostname)
    socket.write(head + 'x')
    // Longer than the answers take, the last of which ends the connection.
    const stopping = http.stop(60_000, 30_000)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).to.match(/^HTTP\/1\.1 404 /)
    const sent = new Promise<void>((resolve, reject) => {
      socket.once('error', reject)
      socket.write(Buffer.alloc(size - 1), () => resolve())
    })
    await sent
    socket.write(ask('/nope'))
    const [last] = (await once(socket, 'data')) as [Buffer]
    expect(answersIn(last.toString())).to.deep.equal(['404 close'])
    await stopping
  })
})
