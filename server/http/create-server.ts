import { createServer, type Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Express } from 'express'
import type { Settings } from '../settings/settings.js'
import { boundArrivals } from './arrivals.js'
import { answerClientErrors } from './client-error.js'
import { trackConnections, type ConnectionBounds, type Connections } from './connections.js'
import { expressConstructors } from './express-prototypes.js'
import { holdRefused } from './hold-refused.js'
import { inTurns } from './in-turns.js'

/** An HTTP server with the bounds of the settings, and of what the process may have open; not listening yet. */
export function createHttpServer(
  settings: Settings,
  app: Express,
  files: Omit<ConnectionBounds, 'maxConnections'> = {},
): Server {
  const requestTimeout = settings['http.requestTimeoutMs']
  const server = createServer({
    ...expressConstructors(app),
    maxHeaderSize: settings['http.maxHeaderSize'],
    // Bodies have bounds of their own (`boundArrivals`); this one is behind the longest of them.
    requestTimeout: 2 * requestTimeout + settings['upload.timeoutMs'],
    headersTimeout: requestTimeout,
    // How often the two above are looked after.
    connectionsCheckingInterval: Math.min(requestTimeout, 5000),
    // Longer than the minute after which load balancers let go of a connection.
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
  // An `Expect` that is not understood is passed over instead of answered without an envelope.
  server.on('checkExpectation', listener)
  answerClientErrors(server)
  holdRefused(server)
  return server
}

/** How many connections of a server are open. */
export const openConnections = (server: Server): number => connectionsOf.get(server)?.count() ?? 0

/** How a server closes, in milliseconds: the settings `http.shutdown…`. */
export type ClosingTimes = Readonly<{ delayMs?: number; timeoutMs: number; graceMs: number }>

/**
 * Goes on for `delayMs`, in which every answer is the last of its connection, so that whoever balances load finds
 * out by asking and not by a connection that breaks. Accepts what has connected by then and stops accepting, answers
 * what is in flight or on its way for up to `timeoutMs`, then cuts what is left. Connections that carry no request for
 * `graceMs` are closed meanwhile, those included that never carried one.
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
