import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { eventually } from '../database/support.js'
import { testDatabaseUri } from '../../support/database.js'
import { rawRequest } from '../../support/raw-request.js'
import { runService, type ServiceProcess } from '../../support/service-process.js'

describe('service process', () => {
  let folder: string
  let running: ServiceProcess | undefined
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'quire-process-'))))
  afterEach(async () => {
    running?.kill('SIGKILL')
    await running?.ended
    running = undefined
    await rm(folder, { recursive: true, force: true })
  })

  const run = (env: Record<string, string>) => (running = runService(env, folder))
  const start = async (env: Record<string, string> = {}) =>
    run({ MONGODB_URI: await testDatabaseUri(), ...env })

  it('does not start if the port is in use, and names the port', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const { code, stderr } = await (await start({ PORT: String(port) })).ended
    taken.close()
    expect(code).to.equal(1)
    expect(stderr).to.equal(
      `Cannot listen on 127.0.0.1, port ${port}: the port is in use. Stop the process that uses it, or set PORT to another.\n`,
    )
  })

  /** Returns the status of the response. Undefined if the connection was closed instead. */
  const statusOf = (url: string, request: string): Promise<number | undefined> =>
    rawRequest(url, request).then(
      ({ status }) => status || undefined,
      () => undefined,
    )

  it('returns 503 beyond the connections that its open files allow, warns once, and recovers', async () => {
    running = runService({ MONGODB_URI: await testDatabaseUri() }, folder, [], 512)
    const url = await running.url
    const { hostname, port } = new URL(url)
    const request = 'GET /_ready HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    const open = Array.from({ length: 256 }, () => connect(Number(port), hostname))
    await Promise.all(open.map((socket) => once(socket, 'connect')))
    const others = await Promise.all(Array.from({ length: 300 }, () => statusOf(url, request)))
    expect(others.filter((answer) => answer === 503)).to.have.length.greaterThan(1)
    expect(others).to.not.include(200)
    const [first] = open as [Socket]
    first.write(request)
    expect(String(await once(first, 'data'))).to.match(/^HTTP\/1.1 200 OK/)
    for (const socket of open) socket.destroy()
    await eventually(async () => (await statusOf(url, request)) === 200)
    running.kill('SIGTERM')
    const { code, stdout } = await running.ended
    expect(code).to.equal(0)
    const lines = stdout.split('\n').filter((line) => line.includes('ulimit'))
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).to.deep.equal([
      '256 connections are open, the maximum for a limit of 512 open files. ' +
        'Further ones get 503. Raise the limit: `ulimit -n 4096`, LimitNOFILE=4096 in systemd, --ulimit nofile=4096 in Docker.',
    ])
  })

  it('logs its URL, and exits with 0 after SIGTERM', async () => {
    const service = await start()
    expect((await fetch(`${await service.url}/_ready`)).status).to.equal(200)
    service.kill('SIGTERM')
    const { code, stdout } = await service.ended
    expect(code).to.equal(0)
    const lines = stdout.trim().split('\n')
    const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
    expect(messages).to.include(`Quire is ready at ${await service.url}`)
    expect(messages.at(-1)).to.equal('Quire has stopped')
    for (const missing of ['There are no content-types:', 'There is no admin yet'])
      expect(messages.filter((message) => message.startsWith(missing))).to.have.length(1)
  })

  it('removes unfinished uploads of a service that was killed long ago', async () => {
    const unfinished = join(folder, 'data', 'uploads', '.5b0c6ad3-6f0e-4f0a-9d39-4f6a2b1f9c11')
    await mkdir(dirname(unfinished), { recursive: true })
    await writeFile(unfinished, 'half a pict')
    const longAgo = new Date(Date.now() - 2 * 60 * 60_000)
    await utimes(unfinished, longAgo, longAgo)
    await (
      await start({ DATA_DIR: 'data' })
    ).url
    await eventually(() => !existsSync(unfinished))
  })

  /** Sends a request whose body is incomplete, so that the request stays in flight. */
  async function beginRequest(url: string): Promise<Socket> {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    const head = 'POST /api/auth/local HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
    socket.write(`${head}Content-Length: 2\r\n\r\n{`)
    expect((await fetch(`${url}/_ready`)).status).to.equal(200)
    return socket
  }
  /** Waits until the service refuses new connections, because it has received a signal. */
  const untilClosing = (url: string) =>
    eventually(() =>
      fetch(url).then(
        () => false,
        () => true,
      ),
    )

  it('answers the request in flight before it ends', async () => {
    const service = await start()
    const socket = await beginRequest(await service.url)
    service.kill('SIGTERM')
    await sleep(200)
    socket.write('}')
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).to.match(/^HTTP\/1\.1 400 /)
    expect((await service.ended).code).to.equal(0)
  })

  it('ends at once after a second SIGTERM', async () => {
    const service = await start()
    const socket = await beginRequest(await service.url)
    socket.on('error', () => undefined)
    service.kill('SIGTERM')
    await untilClosing(await service.url)
    // A second signal in less than a second is ignored, because one Ctrl+C can arrive twice.
    await sleep(1100)
    service.kill('SIGTERM')
    // Exit code 0 would mean that the service waited for the request.
    expect((await service.ended).code).to.equal(1)
  })

  it('still finishes the request in flight if one Ctrl+C reaches it twice, as with npm', async () => {
    const service = await start()
    const socket = await beginRequest(await service.url)
    service.kill('SIGINT')
    await sleep(50)
    service.kill('SIGINT')
    await sleep(100)
    socket.write('}')
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).to.match(/^HTTP\/1\.1 400 /)
    expect((await service.ended).code).to.equal(0)
  })
})
