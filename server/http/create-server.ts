import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Express } from 'express'
import type { Settings } from '../settings.js'
import { answerClientErrors } from './client-error.js'
import { expressConstructors } from './express-prototypes.js'

/** An HTTP server with the bounds of the settings; not listening yet. */
export function createHttpServer(settings: Settings, app: Express): Server {
  const requestTimeout = settings['http.requestTimeoutMs']
  const server = createServer(
    {
      ...expressConstructors(app),
      maxHeaderSize: settings['http.maxHeaderSize'],
      requestTimeout,
      headersTimeout: requestTimeout,
      // How often the two above are looked after.
      connectionsCheckingInterval: Math.min(requestTimeout, 5000),
      // Longer than the minute after which load balancers let go of a connection.
      keepAliveTimeout: 65_000,
      requireHostHeader: false,
    },
    app,
  )
  // A connection on which nothing moves, not even what is sent: who does not read an answer would keep it in memory.
  server.timeout = 2 * (requestTimeout + settings['api.rest.queryTimeoutMs'])
  // An `Expect` that is not understood is passed over instead of answered without an envelope.
  server.on('checkExpectation', app)
  answerClientErrors(server)
  countRequests(server)
  return server
}

/**
 * Stops accepting, lets requests in flight finish for up to `timeoutMs`, then cuts what is left.
 * Connections that carry no request are closed meanwhile, those included that never carried one.
 */
export async function closeHttpServer(server: Server, timeoutMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const sweep = setInterval(() => closeUnused(server), 50)
  const cut = setTimeout(() => server.closeAllConnections(), timeoutMs)
  await closed
  clearInterval(sweep)
  clearTimeout(cut)
}

const sockets = new WeakMap<Server, ReadonlyMap<Socket, number>>()

// `closeIdleConnections` spares the connections that browsers and pools open ahead.
function countRequests(server: Server): void {
  const open = new Map<Socket, number>()
  sockets.set(server, open)
  server.on('connection', (socket) => {
    open.set(socket, 0)
    socket.once('close', () => open.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    open.set(socket, (open.get(socket) ?? 0) + 1)
    response.once('close', () => {
      const left = (open.get(socket) ?? 0) - 1
      if (!socket.destroyed) open.set(socket, left)
    })
  })
}

function closeUnused(server: Server): void {
  for (const [socket, requests] of sockets.get(server) ?? []) if (requests <= 0) socket.destroy()
}
