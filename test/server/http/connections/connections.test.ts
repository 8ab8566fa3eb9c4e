import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { reply, type Route } from '../../../../server/http/route.js'
import { eventually } from '../../database/support.js'
import { rawRequest } from '../../../support/raw-request.js'
import { startHttp } from '../../../support/start-http.js'

const quick: Route = {
  method: 'GET',
  path: '/quick',
  guard: 'open',
  handle: () => reply(200, 'here'),
}

type Outcome = Readonly<{
  status?: number | undefined
  connection?: string | undefined
  error?: string
}>

function ask(url: string, agent: Agent): Promise<Outcome> {
  return new Promise((resolve) => {
    get(`${url}/quick`, { agent }, (response) => {
      const { statusCode: status, headers } = response
      response.resume().once('end', () => resolve({ status, connection: headers.connection }))
    }).once('error', (error: NodeJS.ErrnoException) => resolve({ error: error.code ?? 'error' }))
  })
}

describe('connections', () => {
  it('get 503 above http.maxConnections, and are accepted again after others close', async () => {
    const http = await startHttp({ routes: [quick], settings: { 'http.maxConnections': 2 } })
    const { hostname, port } = new URL(http.url)
    const open = await Promise.all(
      [1, 2].map(async () => {
        const socket = connect(Number(port), hostname)
        await once(socket, 'connect')
        return socket
      }),
    )
    const request = 'GET /quick HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    const refused = await rawRequest(http.url, request)
    expect(refused.body).to.deep.equal({
      data: null,
      error: {
        status: 503,
        name: 'ServiceUnavailableError',
        message: 'Too many connections are open (http.maxConnections)',
        details: {},
      },
    })
    expect(refused.head).to.match(/\r\nRetry-After: 1\r\nConnection: close$/)
    for (const socket of open) socket.destroy()
    await eventually(async () => (await rawRequest(http.url, request)).status === 200)
    await http.stop()
  })

  it('that are kept alive get responses with Connection: close while the service stops', async () => {
    const http = await startHttp({ routes: [quick] })
    const agents = Array.from({ length: 20 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
    for (const agent of agents) expect(await ask(http.url, agent)).to.include({ status: 200 })
    const stopping = http.stop(60_000, 30_000)
    const outcomes: Outcome[] = []
    for (const agent of agents) {
      outcomes.push(await ask(http.url, agent))
      await sleep(5)
    }
    expect(outcomes).to.deep.equal(agents.map(() => ({ status: 200, connection: 'close' })))
    await stopping
    for (const agent of agents) agent.destroy()
  })

  it('that are idle are closed after a short time while the service stops', async () => {
    const http = await startHttp({ routes: [quick] })
    const { hostname, port } = new URL(http.url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    const closed = once(socket, 'close')
    await http.stop(60_000, 20)
    await closed
  })
})
