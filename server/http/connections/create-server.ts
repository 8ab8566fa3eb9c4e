import { createServer, type Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Express } from 'express'
import type { Settings } from '../../settings/settings.js'
import { boundArrivals } from '../request/arrivals.js'
import { answerClientErrors } from '../response/client-error.js'
import { trackConnections, type ConnectionBounds, type Connections } from './connections.js'
import { expressConstructors } from './express-prototypes.js'
import { holdRefused } from '../routes/hold-refused.js'
import { inTurns } from '../routes/in-turns.js'

/** Creates an HTTP server with the limits of the settings and of open files. It does not listen yet. */
export function createHttpServer(
  settings: Settings,
  app: Express,
  files: Omit<ConnectionBounds, 'maxConnections'> = {},
): Server {
  const requestTimeout = settings['http.requestTimeoutMs']
  const server = createServer({
    ...expressConstructors(app),
    maxHeaderSize: settings['http.maxHeaderSize'],
    // Bodies have their own limit (`boundArrivals`). This one is longer than any of those.
    requestTimeout: 2 * requestTimeout + settings['upload.timeoutMs'],
    headersTimeout: requestTimeout,
    // How often Node checks the two timeouts above.
    connectionsCheckingInterval: Math.min(requestTimeout, 5000),
    // Longer than the minute after which load balancers drop a connection.
    keepAliveTimeout: 65_000,
    requireHostHeader: false,
  })
  const connections = trackConnections(server, inTurns(app), {
    maxConnections: settings['http.maxConnections'],
    ...files,
  })
  connectionsOf.set(server, connections)
  const listener = boundArrivals(server, connections.listener, requestTimeout)
  server.on('request', listener)
  // Ignores an unknown `Expect` header. Node itself would respond without an error envelope.
  server.on('checkExpectation', listener)
  answerClientErrors(server)
  holdRefused(server)
  return server
}

/** Returns the number of open connections of a server. */
export const openConnections = (server: Server): number => connectionsOf.get(server)?.count() ?? 0

/** Times of closing a server, in milliseconds: the settings `http.shutdown…`. */
export type ClosingTimes = Readonly<{ delayMs?: number; timeoutMs: number; graceMs: number }>

/**
 * Closes a server gracefully. For `delayMs` it goes on, but makes every response the last of its connection. So load
 * balancers notice by their health checks and not by broken connections. Then it accepts the connections already made
 * and stops accepting. It finishes requests that are in flight or on their way for up to `timeoutMs`, then cuts the
 * rest. Meanwhile connections without a request for `graceMs` are closed, even those that never carried one.
 */
export async function closeHttpServer(
  server: Server,
  { delayMs = 0, timeoutMs, graceMs }: ClosingTimes,
): Promise<void> {
  const connections = connectionsOf.get(server)
  if (delayMs > 0) {
    connections?.endEach()
    await sleep(delayMs)
  }
  const cut = setTimeout(() => server.closeAllConnections(), timeoutMs)
  await connections?.close(graceMs)
  clearTimeout(cut)
}

const connectionsOf = new WeakMap<Server, Connections>()
