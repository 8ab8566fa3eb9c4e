import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { eventually } from '../database/support.js'
import { sideBySide } from '../../support/side-by-side.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'
import { storedNames } from '../../support/stored-names.js'

const settings = { 'http.requestTimeoutMs': 400, 'api.rest.queryTimeoutMs': 30_000 }
const piece = Buffer.alloc(8000, Uint8Array.of(1, 2, 3, 255, 0))
const pieces = 25

describe('slow upload', () => {
  let app: TestApp
  before(async () => {
    app = await startApp({ settings })
  })
  // Tests that use `test` run concurrently, and each of them starts its own service.
  const test = sideBySide()
  after(() => app.stop())

  const remains = async ({ quire, dataDir } = app) => {
    const { db } = quire.services
    return [
      (await storedNames(dataDir)).length,
      await db.collection('_contents').countDocuments(),
      await db.collection('upload_files').countDocuments(),
    ]
  }
  const expectSoon = async (expected: readonly number[], at = app) => {
    await eventually(async () => String(await remains(at)) === String(expected))
  }

  test('is accepted beyond the request timeout if data keeps arriving', async () => {
    const patient = await startApp({ settings: { ...settings, 'http.requestTimeoutMs': 2000 } })
    const upload = begin(patient)
    for (let sent = 0; sent < pieces; sent++) {
      upload.socket.write(piece)
      await sleep(100)
    }
    upload.socket.write(tail)
    expect(await upload.status).to.equal(201)
    await expectSoon([1, 0, 1], patient)
    await patient.stop()
  })

  it('returns 408 if data stops arriving, and leaves nothing behind', async () => {
    const before = await remains()
    const refused = [0, 1, pieces - 1].map(async (sent) => {
      const upload = begin(app)
      for (let at = 0; at < sent; at++) upload.socket.write(piece)
      expect(await upload.status, `${sent} pieces`).to.equal(408)
    })
    await Promise.all(refused)
    await expectSoon(before)
  })

  it('returns 408 if data arrives too slowly', async () => {
    const before = await remains()
    const upload = begin(app)
    upload.socket.write(piece)
    const timer = setInterval(() => upload.socket.write('x'), 100)
    expect(await upload.status).to.equal(408)
    clearInterval(timer)
    await expectSoon(before)
  })

  test('returns 408 after upload.timeoutMs', async () => {
    const strict = await startApp({ settings: { ...settings, 'upload.timeoutMs': 500 } })
    const upload = begin(strict)
    const timer = setInterval(() => upload.socket.write(piece), 100)
    expect(await upload.status).to.equal(408)
    clearInterval(timer)
    await strict.stop()
  })

  it('gets no extra time on a route without uploads or from an unauthorized caller', async () => {
    for (const [path, token, expected] of [
      ['/api/auth/local', app.token, [400, 408]],
      ['/api/upload', 'none', [401, 403]],
    ] as const) {
      const upload = begin(app, path, token)
      const timer = setInterval(() => upload.socket.write(piece.subarray(0, 200)), 100)
      // The service closes the connection after the response, even if the client keeps sending.
      expect(await upload.status).to.be.oneOf([...expected])
      clearInterval(timer)
    }
  })

  it('gets more time than JSON: a slow JSON body returns 408 even if data keeps arriving', async () => {
    const socket = connectTo(app)
    const status = statusOf(socket)
    socket.write(
      'POST /api/auth/local HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 900000\r\n\r\n{',
    )
    const timer = setInterval(() => socket.write(' '.repeat(2000)), 100)
    expect(await status).to.equal(408)
    clearInterval(timer)
  })
})

const tail = '\r\n--b--\r\n'

function begin(app: TestApp, path = '/api/upload', token = app.token) {
  const socket = connectTo(app)
  const start =
    '--b\r\nContent-Disposition: form-data; name="files"; filename="a.bin"\r\nContent-Type: application/octet-stream\r\n\r\n'
  const length = start.length + pieces * piece.byteLength + tail.length
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n\r\n${start}`,
  )
  return { socket, status: statusOf(socket) }
}

function connectTo(app: TestApp): Socket {
  const { hostname, port } = new URL(app.url)
  // Ignores the error that the socket emits if the server closes the connection during sending.
  return connect(Number(port), hostname).on('error', () => undefined)
}

/** Waits until the connection has closed, and resolves to the status of the first response. */
function statusOf(socket: Socket): Promise<number> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  return new Promise((resolve) => {
    socket.once('close', () => resolve(Number(Buffer.concat(chunks).toString().split(' ')[1])))
  })
}
