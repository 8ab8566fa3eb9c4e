import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { expect } from 'chai'
import { boundArrivals } from '../../../../server/http/request/arrivals.js'
import { answerClientErrors } from '../../../../server/http/response/client-error.js'
import { sideBySide } from '../../../support/side-by-side.js'

describe('arriving body', () => {
  let server: Server
  before(async () => {
    server = createServer()
    const listener = boundArrivals(
      server,
      (request, response) => request.resume().once('end', () => response.end('all')),
      60_000,
      500,
    )
    server.on('request', listener)
    answerClientErrors(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  const it = sideBySide()
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const send = async (...parts: readonly string[]): Promise<Socket> => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    for (const part of parts) socket.write(part)
    return socket
  }
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 100000\r\n\r\n'
  const answerOf = async (socket: Socket): Promise<string> => {
    let text = ''
    for await (const chunk of socket) text += String(chunk)
    return text
  }

  it('gets 408 long before its deadline if the client withholds the end', async () => {
    const socket = await send(head, 'x'.repeat(99_999))
    expect(await answerOf(socket)).to.match(/^HTTP\/1\.1 408 /)
  })

  it('gets 408 if the client sends only a few bytes per second', async () => {
    const socket = await send(head)
    const timer = setInterval(() => socket.write('x'), 50)
    expect(await answerOf(socket)).to.match(/^HTTP\/1\.1 408 /)
    clearInterval(timer)
  })

  it('may take several time windows if data keeps arriving', async () => {
    const socket = await send(head)
    const answer = answerOf(socket)
    for (let sent = 0; sent < 100_000; sent += 5000) {
      socket.write('x'.repeat(5000))
      await new Promise((resolve) => setTimeout(resolve, 60))
    }
    expect(await answer).to.match(/^HTTP\/1\.1 200 /)
  })
})
