import { createServer, type Server, IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Express } from 'express'
import type { Settings } from '../../settings/settings.js'
import { boundArrivals } from '../request/arrivals.js'
import { answerClientErrors } from '../response/client-error.js'
import { trackConnections, type ConnectionBounds, type Connections } from './connections.js'
import { holdRefused } from '../routes/hold-refused.js'
import { inTurns } from '../routes/in-turns.js'

/**
 * Constructors for `http.createServer` whose objects have Express's prototypes from the start. Changing the prototype
 * of an existing object makes V8 discard its optimisations. With these, a read of one document costs 0.60 ms of the
 * main process's CPU instead of 0.80.
 */
const expressConstructors = ({ request, response }: Express) => ({
  IncomingMessage: constructing(IncomingMessage, request),
  ServerResponse: constructing(ServerResponse, response),
})

/** Not with `Reflect.construct`: its objects are as slow as those with a changed prototype. */
function constructing<T extends typeof IncomingMessage | typeof ServerResponse>(
  base: T,
  prototype: object,
): T {
  // Node's two are functions, not classes, so they can be called on an existing object.
  const initialise = base as unknown as (this: object, ...parts: readonly unknown[]) => void
  function Constructor(this: object, first: unknown, second: unknown): void {
    initialise.call(this, first, second)
  }
  Constructor.prototype = prototype
  return Constructor as unknown as T
}

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
