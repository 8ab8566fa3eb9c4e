import { expect } from 'chai'
import { once } from 'node:events'
import { Agent, createServer, request, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { holdRefused } from '../../../../server/http/connections/create-server.js'

describe('connection after a response with Retry-After', () => {
  const closers: (() => void)[] = []
  afterEach(() => closers.splice(0).forEach((close) => close()))

  /**
   * Starts a server that responds to `/refused` with 503 and to everything else with 204, and records the requested
   * paths.
   */
  const start = async (heldMs: number): Promise<Readonly<{ server: Server; paths: string[] }>> => {
    const paths: string[] = []
    const server = createServer(({ url = '' }, response) => {
      paths.push(url)
      response.statusCode = url === '/refused' ? 503 : 204
      if (url === '/refused') response.setHeader('Retry-After', '1')
      response.end()
    })
    holdRefused(server, heldMs)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    closers.push(() => server.close().closeAllConnections())
    return { server, paths }
  }
  const client = (server: Server): ((path: string) => Promise<number>) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    closers.push(() => agent.destroy())
    const { port } = server.address() as AddressInfo
    return (path) =>
      new Promise((resolve, reject) => {
        request({ host: '127.0.0.1', port, path, agent }, (response) => {
          response.resume().on('end', () => resolve(response.statusCode ?? 0))
        })
          .on('error', reject)
          .end()
      })
  }

  it('is not read for a while, unlike other connections', async () => {
    const { server, paths } = await start(3_600_000)
    const sockets: Socket[] = []
    server.on('connection', (socket: Socket) => sockets.push(socket))
    const [refused, other] = [client(server), client(server)]
    expect(await refused('/refused')).to.equal(503)
    // Client and service share an event loop, so the service may not have paused the socket yet.
    while (!sockets[0]?.isPaused()) await new Promise((resolve) => setImmediate(resolve))
    const waiting = refused('/again').catch(() => 0)
    for (let turn = 0; turn < 20; turn += 1) expect(await other('/other')).to.equal(204)
    expect(paths).to.include('/other').and.not.to.include('/again')
    server.closeAllConnections()
    await waiting
  })

  it('is read again afterwards', async () => {
    const { server } = await start(20)
    const refused = client(server)
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await refused('/refused')).to.equal(503)
      expect(await refused('/again')).to.equal(204)
    }
  })
})
