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
 * Constructors for `http.createServer` whose objects have Express's prototypes from the start. Changing the prototype
 * of an existing object makes V8 discard its optimisations. With these, a read of one document costs 0.60 ms of the
 * main process's CPU instead of 0.80.
 */
const expressConstructors = ({ request, response }: Express) => ({
  IncomingMessage: constructing(IncomingMessage, request),
  ServerResponse: constructing(ServerResponse, response),
})

/** Does not use `Reflect.construct`, because its objects are as slow as those with a changed prototype. */
function constructing<T extends typeof IncomingMessage | typeof ServerResponse>(
  base: T,
  prototype: object,
): T {
  // The two constructors of Node are functions, not classes. So they can be called on an existing object.
  const initialise = base as unknown as (this: object, ...parts: readonly unknown[]) => void
  function Constructor(this: object, first: unknown, second: unknown): void {
    initialise.call(this, first, second)
  }
  Constructor.prototype = prototype
  return Constructor as unknown as T
}

/** Creates an HTTP server with the limits of the settings and of open files. The caller makes it listen. */
export function createHttpServer(
  settings: Settings,
  app: Express,
  files: Omit<ConnectionBounds, 'maxConnections'> = {},
): Server {
  const requestTimeout = settings['http.requestTimeoutMs']
  const server = createServer({
    ...expressConstructors(app),
    maxHeaderSize: settings['http.maxHeaderSize'],
    // `boundArrivals` limits the time of bodies. This limit must be longer than any of its limits.
    requestTimeout: 2 * requestTimeout + settings['upload.timeoutMs'],
    headersTimeout: requestTimeout,
    // How often Node checks the two timeouts above.
    connectionsCheckingInterval: Math.min(requestTimeout, 5000),
    // Longer than the minute after which load balancers close an idle connection.
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
  // Handles a request with an unknown `Expect` header as any other. Node itself would respond without an error
  // envelope.
  server.on('checkExpectation', listener)
  answerClientErrors(server)
  holdRefused(server)
  return server
}

/** Returns the number of open connections of a server. */
export const openConnections = (server: Server): number => connectionsOf.get(server)?.count() ?? 0

/** Durations for closing a server, in milliseconds: the settings `http.shutdown…`. */
export type ClosingTimes = Readonly<{ delayMs?: number; timeoutMs: number; graceMs: number }>

/**
 * Closes a server gracefully, in three steps:
 * - For `delayMs` it continues to serve, but makes every response the last of its connection. Load balancers notice the
 *   end by their health checks, not by broken connections.
 * - It accepts the connections that are already in the backlog, then stops accepting.
 * - It finishes requests that are in flight or on their way for up to `timeoutMs`, then closes all connections. Before
 *   that, it closes each connection without a request for `graceMs`, even one that never had a request.
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
