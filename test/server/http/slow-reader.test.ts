import { once } from 'node:events'
import { connect } from 'node:net'
import { expect } from 'chai'
import { collectLines } from '../../support/log-lines.js'
import { startHttp } from '../../support/start-http.js'
import { eventually } from '../database/support.js'

// Four times as long nothing may move: on a machine that does much else, who reads slowly stands still at times.
const settings = { 'http.requestTimeoutMs': 500, 'api.rest.queryTimeoutMs': 500 }
// More than the buffers of two sockets.
const size = 32 * 1024 * 1024

describe('an answer that its client does not read', () => {
  it('is given up after a while, and one that is read slowly is not', async () => {
    const { log, lines } = collectLines()
    const http = await startHttp({
      ...{ settings, log },
      routes: [
        {
          method: 'GET',
          path: '/large',
          guard: { kind: 'open' },
          handle: () => ({ status: 200, body: new Uint8Array(size) }),
        },
      ],
    })
    const { hostname, port } = new URL(http.url)
    const ask = () => {
      const socket = connect(Number(port), hostname)
      socket.write('GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
      return socket
    }
    try {
      const slow = ask()
      slow.on('data', () => {
        slow.pause()
        setTimeout(() => slow.resume(), 1)
      })
      const idle = ask().pause()
      idle.on('error', () => undefined)
      await once(slow, 'close')
      // Its line in the log is written when its connection has ended.
      await eventually(() => lines.length === 2)
      // It gets what was on its way.
      await once(
        idle.resume().on('data', () => undefined),
        'close',
      )
      expect(slow.bytesRead).to.be.above(size)
      expect(idle.bytesRead).to.be.below(size)
    } finally {
      await http.stop()
    }
  })
})
