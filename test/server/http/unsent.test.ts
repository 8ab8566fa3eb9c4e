import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import type { Route } from '../../../server/http/route.js'
import { OutputBuffers } from '../../../server/http/response/output-buffers.js'
import { eventually } from '../database/support.js'
import type { RunningHttp } from '../../support/start-http.js'
import { startHttp } from '../../support/start-http.js'

const megabyte = 1024 * 1024
/** More than the buffers of two sockets. */
const large = 16 * megabyte
/** More than the receive buffer of a client that does not read, and less than the send buffer of the service. */
const medium = 2 * megabyte
/** Too small to be watched alone. */
const part = 50_000

describe('What clients leave to be read', () => {
  let http: RunningHttp
  let unsent: OutputBuffers
  let asked = 0
  let sockets: Socket[] = []

  const route = (path: string, size: number): Route => ({
    method: 'GET',
    path,
    guard: 'open',
    handle: () => {
      asked += 1
      return { status: 200, body: new Uint8Array(size) }
    },
  })

  const start = async ({
    max = 64 * megabyte,
    windowMs,
  }: Readonly<{ max?: number; windowMs?: number }>): Promise<void> => {
    unsent = new OutputBuffers({ 'http.maxUnsentBytes': max }, windowMs)
    const huge = route('/huge', 40 * megabyte)
    const routes = [route('/large', large), route('/small', 1000), huge]
    routes.push(route('/medium', medium), route('/part', part))
    routes.push({ ...huge, method: 'POST' })
    http = await startHttp({ unsent, routes })
  }
  beforeEach(() => {
    asked = 0
    sockets = []
  })
  afterEach(async () => {
    for (const socket of sockets) socket.destroy()
    await http.stop()
  })

  /** Asks, reads how the answer begins, and nothing more. */
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

  it('is bounded in all; beyond it large answers are 503 with Retry-After, and small ones get through', async () => {
    await start({})
    const heads: string[] = []
    for (let n = 0; n < 8; n += 1) {
      heads.push((await askAndStop('/large')).head)
      expect(unsent.bytes()).to.be.at.most(64 * megabyte)
    }
    const statuses = heads.map((head) => Number(head.split(' ')[1]))
    expect(statuses).to.deep.equal([200, 200, 503, 503, 503, 503, 503, 503])
    expect(heads[2])
      .to.match(/\r\nRetry-After: 1\r\n/)
      .and.to.include('(http.maxUnsentBytes)')
    expect(await http.send('GET', '/small')).to.include({ status: 200 })
  })

  it('leaves an eighth of the capacity to small responses', async () => {
    await start({})
    let head = ''
    while (!head.includes(' 503 ')) head = (await askAndStop('/medium')).head
    expect(unsent.bytes()).to.be.at.most(56 * megabyte)
    expect(await http.send('GET', '/small')).to.include({ status: 200 })
  })

  it('is bounded for one connection', async () => {
    await start({})
    expect(await http.send('GET', '/huge')).to.include({ status: 503 })
    expect(unsent.bytes()).to.equal(0)
  })

  it('leaves room for errors', async () => {
    await start({ max: 1 })
    expect(await http.send('GET', '/small')).to.include({ status: 503 })
    expect(await http.send('GET', '/nothing')).to.include({ status: 404 })
  })

  it('says of a write that it was done, where its answer finds no room', async () => {
    await start({})
    const { status, text } = await http.send('POST', '/huge')
    expect(status).to.equal(503)
    expect(JSON.parse(text)).to.have.nested.property('error.details.outcome', 'done')
    expect(text).to.include(
      'The write was done, but its response cannot be shown. Clients have not received',
    )
  })

  it('is released as soon as the client is gone', async () => {
    await start({})
    for (let n = 0; n < 2; n += 1) await askAndStop('/large')
    expect(unsent.bytes()).to.equal(2 * large)
    for (const socket of sockets) socket.destroy()
    await eventually(() => Promise.resolve(unsent.bytes() === 0))
    expect(await http.send('GET', '/large')).to.include({ status: 200 })
  })

  it('is the answer to one request: those that a connection sends ahead wait', async () => {
    await start({})
    await askAndStop('/large', 50)
    expect(await http.send('GET', '/small')).to.include({ status: 200 })
    expect(asked).to.equal(2)
    expect(unsent.bytes()).to.equal(large)
  })

  it('is answered in turn once it is read', async () => {
    await start({})
    const { socket, head } = await askAndStop('/small', 20)
    let text = head
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1'))).resume()
    await eventually(() => Promise.resolve(text.split('HTTP/1.1 200').length === 21))
    expect(asked).to.equal(20)
  })

  it('cuts off who takes too little of it for a while, and nobody who reads', async () => {
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
    // What waits in its own buffer is read before the end is seen.
    await eventually(() => Promise.resolve(unsent.bytes() <= large))
    // Whoever is cut off may be told by a reset.
    idle.on('error', () => undefined)
    const cutOff = new Promise((resolve) => idle.once('close', resolve))
    idle.resume()
    await cutOff
    await eventually(() => Promise.resolve(read > large - 100_000))
    expect(idle.bytesRead).to.be.below(large)
  }).timeout(90_000)

  describe('in the send buffers of the system', () => {
    before(function () {
      // Other systems do not report these buffers.
      if (process.platform !== 'linux') this.skip()
    })
    const windowMs = 400

    const expectCutOff = async (socket: Socket, size: number): Promise<void> => {
      await eventually(() => Promise.resolve(unsent.bytes() > size / 2))
      await eventually(() => Promise.resolve(unsent.bytes() === 0))
      const closed = once(socket, 'close')
      // The client gets what was on its way.
      socket.resume()
      await closed.catch(() => undefined)
      expect(socket.bytesRead).to.be.below(size)
    }

    for (const [name, headers] of [
      ['a connection that is kept', ''],
      ['one that ends with it', 'Connection: close\r\n'],
    ] as const)
      it(`is cut off if the client takes too little: on ${name}`, async () => {
        await start({ windowMs })
        const { socket } = await askAndStop('/medium', 1, headers)
        await expectCutOff(socket, medium)
      })

    it('is cut off if the client has closed its own side', async () => {
      await start({ windowMs })
      const { socket } = await askAndStop('/medium')
      socket.end()
      await expectCutOff(socket, medium)
    })

    it('is cut off if it is many small answers', async () => {
      await start({ windowMs })
      const { socket } = await askAndStop('/part', 60)
      await expectCutOff(socket, 60 * part)
    })

    it('is bounded, and makes room when it is read', async () => {
      const max = 8 * megabyte
      await start({ max })
      const heads: string[] = []
      for (let n = 0; n < 12; n += 1) {
        heads.push((await askAndStop('/medium')).head)
        expect(unsent.bytes()).to.be.at.most(max)
      }
      expect(heads.at(0)).to.match(/ 200 /)
      expect(heads.at(-1)).to.match(/ 503 /)
      for (const socket of sockets) socket.on('data', () => undefined).resume()
      await eventually(async () => (await http.send('GET', '/medium')).status === 200)
    })

    it('is not cut off while a client reads, even slowly, and its connection serves another request', async () => {
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
      await eventually(() => Promise.resolve(unsent.bytes() === 0))
      expect(chunks).to.be.above(10)
      const { bytesRead } = socket
      socket.write('GET /small HTTP/1.1\r\nHost: x\r\n\r\n')
      await eventually(() => Promise.resolve(socket.bytesRead > bytesRead + 1000))
    })
  })
})
