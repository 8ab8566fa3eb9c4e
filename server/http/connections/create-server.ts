import { createServer, type Server, IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Express } from 'express'
import type { Settings } from '../../settings/settings.js'
import { boundArrivals } from '../request/arrivals.js'
import { answerClientErrors } from '../response/client-error.js'
import { trackConnections, type ConnectionBounds, type Connections } from './connections.js'
import { holdRefused } from './hold-refused.js'
import { inTurns } from './in-turns.js'

/**
 * Constructors for `http.createServer` that create objects with Express's prototypes. Express itself changes the
 * prototype of each object later, which makes V8 discard its optimisations. With these constructors, reading one
 * document costs the main process 0.60 ms of CPU time instead of 0.80 ms.
 */
const expressConstructors = ({ request, response }: Express) => ({
  IncomingMessage: constructing(IncomingMessage, request),
  ServerResponse: constructing(ServerResponse, response),
})

/**
 * Returns a constructor like `base` whose objects have `prototype`. Does not use `Reflect.construct`, because objects
 * created with it are as slow as those with a changed prototype.
 */
function constructing<T extends typeof IncomingMessage | typeof ServerResponse>(
  base: T,
  prototype: object,
): T {
  // Node implements these two constructors as functions, not as classes. So they can be called on an existing object.
  const initialise = base as unknown as (this: object, ...parts: readonly unknown[]) => void
  function Constructor(this: object, first: unknown, second: unknown): void {
    initialise.call(this, first, second)
  }
  Constructor.prototype = prototype
  return Constructor as unknown as T
}

/**
 * Creates an HTTP server that enforces the limits from the settings and the limit of open files. The caller must make
 * it listen.
 */
export function createHttpServer(
  settings: Settings,
  app: Express,
  files: Omit<ConnectionBounds, 'maxConnections'> = {},
): Server {
  const requestTimeout = settings['http.requestTimeoutMs']
  const server = createServer({
    ...expressConstructors(app),
    maxHeaderSize: settings['http.maxHeaderSize'],
    // `boundArrivals` limits how long a body may take to arrive. Node's limit must be longer than every limit of
    // `boundArrivals`.
    requestTimeout: 2 * requestTimeout + settings['upload.timeoutMs'],
    headersTimeout: requestTimeout,
    // Interval at which Node checks the two timeouts above.
    connectionsCheckingInterval: Math.min(requestTimeout, 5000),
    // Load balancers close idle connections after a minute. This time is longer, so that the load balancer closes
    // first.
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
  // Handle a request with an unknown `Expect` header like any other request. Node would respond itself, without an
  // error envelope.
  server.on('checkExpectation', listener)
  answerClientErrors(server)
  holdRefused(server)
  return server
}

/** Returns the number of open connections of a server. */
export const openConnections = (server: Server): number => connectionsOf.get(server)?.count() ?? 0

/** Time limits for closing a server, in milliseconds: the settings `http.shutdown…`. */
export type ClosingTimes = Readonly<{ delayMs?: number; timeoutMs: number; graceMs: number }>

/**
 * Closes a server gracefully, in three steps:
 * - For `delayMs` the server continues to serve, but closes each connection after its next response. Meanwhile load
 *   balancers learn from their health checks, rather than from broken connections, that the server is closing.
 * - The server accepts the connections that are already in the backlog, then stops accepting.
 * - For up to `timeoutMs` the server finishes requests that are in flight or still on their way. It closes each
 *   connection that has had no request for `graceMs`, even one that never had a request. When `timeoutMs` has passed,
 *   it closes all connections.
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
