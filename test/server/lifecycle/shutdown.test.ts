import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { eventually } from '../database/support.js'
import { reply, type Route } from '../../../server/http/route.js'
import { startHttp } from '../../support/start-http.js'

const slow = (ms: number, aborted: () => void = () => {}): Route => ({
  method: 'GET',
  path: '/slow',
  guard: { kind: 'open' },
  handle: async ({ signal }) => {
    signal.addEventListener('abort', aborted)
    await sleep(ms)
    return reply(200, 'done')
  },
})

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
  it('finishes what is in flight and accepts nothing new', async () => {
    const http = await startHttp({ routes: [slow(500)] })
    await http.send('GET', '/nope')
    const pending = http.send('GET', '/slow')
    await sleep(50)
    // Longer than the runner waits: it ends because nothing is left to be done.
    const stopping = http.stop(600_000)
    await eventually(async () => (await codeOf(http.url)) === 'ECONNREFUSED')
    expect((await pending).body).to.equal('done')
    await stopping
  })

  it('goes on for a while where load balancers ask, and ends each connection with its next answer', async () => {
    const http = await startHttp({ routes: [slow(1)] })
    const kept = await fetch(`${http.url}/slow`)
    expect(kept.headers.get('Connection')).to.equal('keep-alive')
    const stopping = http.stop(1000, 20, 300)
    const late = await fetch(`${http.url}/slow`, { headers: { 'X-Late': '1' } })
    expect([late.status, late.headers.get('Connection')]).to.deep.equal([200, 'close'])
    await stopping
    expect(await codeOf(http.url)).to.equal('ECONNREFUSED')
  })

  it('cuts what does not finish in time', async () => {
    const http = await startHttp({ routes: [slow(1000)] })
    const pending = http.send('GET', '/slow').catch(() => 'cut')
    await sleep(30)
    await http.stop(50)
    expect(await pending).to.equal('cut')
  })

  it('tells a handler when its client is gone', async () => {
    let aborted = false
    const http = await startHttp({ routes: [slow(100, () => (aborted = true))] })
    const controller = new AbortController()
    const pending = http.send('GET', '/slow', { signal: controller.signal }).catch(() => 'gone')
    await sleep(30)
    controller.abort()
    expect(await pending).to.equal('gone')
    await sleep(30)
    expect(aborted).to.equal(true)
    await http.stop()
  })

  it('answers who was let in by the system, though not by the service yet', async () => {
    const http = await startHttp({ routes: [slow(1)] })
    const clients = Array.from({ length: 50 }, () => begin(http.url, ask('/slow')))
    // By now the system has let them in; the service has had no turn to accept them.
    await inNextTick()
    await inNextTick()
    const stopping = http.stop(10_000)
    for (const { received } of clients)
      expect(answersIn(await received)).to.deep.equal(['200 close'])
    await stopping
  })

  it('answers all that a connection has sent ahead, and says so with the last answer', async () => {
    const http = await startHttp({ routes: [slow(50)] })
    const { socket, received } = begin(http.url, ask('/slow').repeat(3))
    await sleep(20)
    const stopping = http.stop(10_000)
    await sleep(10)
    socket.write(ask('/slow'))
    const expected = ['200 keep-alive', '200 keep-alive', '200 keep-alive', '200 close']
    expect(answersIn(await received)).to.deep.equal(expected)
    await stopping
  })

  it('waits for the rest of a request whose beginning has come', async () => {
    const http = await startHttp({ routes: [slow(1)] })
    const { socket, received } = begin(http.url, 'GET /slow HTTP/1.1\r\n')
    await sleep(20)
    const stopping = http.stop(10_000, 20)
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
    const stopping = http.stop(10_000, 20)
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
