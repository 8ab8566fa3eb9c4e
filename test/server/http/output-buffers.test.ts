import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import type { Route } from '../../../server/http/route.js'
import { OutputBuffers } from '../../../server/http/response/output-buffers.js'
import { eventually } from '../database/support.js'
import type { RunningHttp } from '../../support/start-http.js'
import { startHttp } from '../../support/start-http.js'

const megabyte = 1024 * 1024
/** Response size: more than the socket buffers of client and service together. */
const large = 16 * megabyte
/**
 * Response size: more than the receive buffer of a client that does not read, but less than the send buffer of the
 * service.
 */
const medium = 2 * megabyte
/** Response size: so small that a connection with only one such response is not watched. */
const part = 50_000

describe('output buffers', () => {
  let http: RunningHttp
  let buffers: OutputBuffers
  let handled = 0
  let sockets: Socket[] = []

  const route = (path: string, size: number): Route => ({
    method: 'GET',
    path,
    guard: 'open',
    handle: () => {
      handled += 1
      return { status: 200, body: new Uint8Array(size) }
    },
  })

  const start = async ({
    max = 64 * megabyte,
    windowMs,
  }: Readonly<{ max?: number; windowMs?: number }>): Promise<void> => {
    buffers = new OutputBuffers({ 'http.maxUnsentBytes': max }, windowMs)
    const huge = route('/huge', 40 * megabyte)
    const routes = [route('/large', large), route('/small', 1000), huge]
    routes.push(route('/medium', medium), route('/part', part))
    routes.push({ ...huge, method: 'POST' })
    http = await startHttp({ unsent: buffers, routes })
  }
  beforeEach(() => {
    handled = 0
    sockets = []
  })
  afterEach(async () => {
    for (const socket of sockets) socket.destroy()
    await http.stop()
  })

  /** Sends a request `times` times, reads the start of the first response, and then stops reading. */
  const askAndStop = async (
    path: string,
    times = 1,
    headers = '',
  ): Promise<Readonly<{ socket: Socket; head: string }>> => {
    const { hostname, port } = new URL(http.url)
    const socket = connect(Number(port), hostname)
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`.repeat(times))
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    socket.pause()
    return { socket, head: chunk.toString('latin1') }
  }

  it('return 503 with Retry-After for large responses above the total limit, but still send small ones', async () => {
    await start({})
    const heads: string[] = []
    for (let n = 0; n < 8; n += 1) {
      heads.push((await askAndStop('/large')).head)
      expect(buffers.bytes()).to.be.at.most(64 * megabyte)
    }
    const statuses = heads.map((head) => Number(head.split(' ')[1]))
    expect(statuses).to.deep.equal([200, 200, 503, 503, 503, 503, 503, 503])
    expect(heads[2])
      .to.match(/\r\nRetry-After: 1\r\n/)
      .and.to.include('(http.maxUnsentBytes)')
    expect(await http.send('GET', '/small')).to.include({ status: 200 })
  })

  it('reserve an eighth of the capacity for small responses', async () => {
    await start({})
    let head = ''
    while (!head.includes(' 503 ')) head = (await askAndStop('/medium')).head
    expect(buffers.bytes()).to.be.at.most(56 * megabyte)
    expect(await http.send('GET', '/small')).to.include({ status: 200 })
  })

  it('have a limit per connection', async () => {
    await start({})
    expect(await http.send('GET', '/huge')).to.include({ status: 503 })
    expect(buffers.bytes()).to.equal(0)
  })

  it('always have capacity for errors', async () => {
    await start({ max: 1 })
    expect(await http.send('GET', '/small')).to.include({ status: 503 })
    expect(await http.send('GET', '/nothing')).to.include({ status: 404 })
  })

  it('return 503 with outcome done for a write if its response exceeds the limit', async () => {
    await start({})
    const { status, text } = await http.send('POST', '/huge')
    expect(status).to.equal(503)
    expect(JSON.parse(text)).to.have.nested.property('error.details.outcome', 'done')
    expect(text).to.include(
      'The write was done, but its response cannot be shown. Too much data of earlier responses',
    )
  })

  it('are released when the client disconnects', async () => {
    await start({})
    for (let n = 0; n < 2; n += 1) await askAndStop('/large')
    expect(buffers.bytes()).to.equal(2 * large)
    for (const socket of sockets) socket.destroy()
    await eventually(() => Promise.resolve(buffers.bytes() === 0))
    expect(await http.send('GET', '/large')).to.include({ status: 200 })
  })

  it('contain the response to one request per connection, and pipelined requests wait', async () => {
    await start({})
    await askAndStop('/large', 50)
    expect(await http.send('GET', '/small')).to.include({ status: 200 })
    expect(handled).to.equal(2)
    expect(buffers.bytes()).to.equal(large)
  })

  it('send the responses to pipelined requests in order when the client reads', async () => {
    await start({})
    const { socket, head } = await askAndStop('/small', 20)
    let text = head
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1'))).resume()
    await eventually(() => Promise.resolve(text.split('HTTP/1.1 200').length === 21))
    expect(handled).to.equal(20)
  })

  it('disconnect a client that reads too slowly, but not one that keeps reading', async () => {
    await start({ windowMs: 1000 })
    const { socket: idle } = await askAndStop('/large')
    const { socket: reading } = await askAndStop('/large')
    let read = 0
    reading.on('data', (chunk: Buffer) => {
      read += chunk.length
      reading.pause()
      setTimeout(() => reading.resume(), 8)
    })
    reading.resume()
    // Waits until the service has dropped the response. The idle client only notices this when it has read its receive
    // buffer.
    await eventually(() => Promise.resolve(buffers.bytes() <= large))
    // The client may also get a connection reset.
    idle.on('error', () => undefined)
    const cutOff = new Promise((resolve) => idle.once('close', resolve))
    idle.resume()
    await cutOff
    await eventually(() => Promise.resolve(read > large - 100_000))
    expect(idle.bytesRead).to.be.below(large)
  }).timeout(90_000)

  describe('data in the send buffers of the operating system', () => {
    before(function () {
      // Only Linux reports these buffers.
      if (process.platform !== 'linux') this.skip()
    })
    const windowMs = 400

    const expectCutOff = async (socket: Socket, size: number): Promise<void> => {
      await eventually(() => Promise.resolve(buffers.bytes() > size / 2))
      await eventually(() => Promise.resolve(buffers.bytes() === 0))
      const closed = once(socket, 'close')
      // The client still receives the data that was already in transit.
      socket.resume()
      await closed.catch(() => undefined)
      expect(socket.bytesRead).to.be.below(size)
    }

    for (const [name, headers] of [
      ['a persistent connection', ''],
      ['the header Connection: close', 'Connection: close\r\n'],
    ] as const)
      it(`is dropped with ${name} if the client reads too slowly`, async () => {
        await start({ windowMs })
        const { socket } = await askAndStop('/medium', 1, headers)
        await expectCutOff(socket, medium)
      })

    it('is dropped if the client has closed its side and does not read', async () => {
      await start({ windowMs })
      const { socket } = await askAndStop('/medium')
      socket.end()
      await expectCutOff(socket, medium)
    })

    it('is dropped if it consists of many small responses that the client does not read', async () => {
      await start({ windowMs })
      const { socket } = await askAndStop('/part', 60)
      await expectCutOff(socket, 60 * part)
    })

    it('counts towards the limit until the client reads it', async () => {
      const max = 8 * megabyte
      await start({ max })
      const heads: string[] = []
      for (let n = 0; n < 12; n += 1) {
        heads.push((await askAndStop('/medium')).head)
        expect(buffers.bytes()).to.be.at.most(max)
      }
      expect(heads.at(0)).to.match(/ 200 /)
      expect(heads.at(-1)).to.match(/ 503 /)
      for (const socket of sockets) socket.on('data', () => undefined).resume()
      await eventually(async () => (await http.send('GET', '/medium')).status === 200)
    })

    it('is kept while the client reads slowly, and the connection serves another request', async () => {
      await start({ windowMs })
      const { socket } = await askAndStop('/medium')
      let chunks = 0
      socket.on('data', () => {
        chunks += 1
        socket.pause()
        setTimeout(() => socket.resume(), 20)
      })
      socket.resume()
      await eventually(() => Promise.resolve(socket.bytesRead > medium))
      await eventually(() => Promise.resolve(buffers.bytes() === 0))
      expect(chunks).to.be.above(10)
      const { bytesRead } = socket
      socket.write('GET /small HTTP/1.1\r\nHost: x\r\n\r\n')
      await eventually(() => Promise.resolve(socket.bytesRead > bytesRead + 1000))
    })
  })
})
