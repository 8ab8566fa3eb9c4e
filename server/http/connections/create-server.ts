import { createServer, type Server, IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Express } from 'express'
import type { Settings } from '../../settings/settings.js'
import { boundArrivals } from '../request/arrivals.js'
import { answerClientErrors } from '../response/client-error.js'
import { trackConnections, type ConnectionBounds, type Connections } from './connections.js'
import { inTurns } from './in-turns.js'

/**
 * Constructors of objects that already have Express's prototypes. Express itself would change their prototypes later,
 * which undoes V8's optimisations: reading a document would take 0.80 ms of CPU time instead of 0.60 ms.
 */
const expressConstructors = ({ request, response }: Express) => ({
  IncomingMessage: constructing(IncomingMessage, request),
  ServerResponse: constructing(ServerResponse, response),
})

/**
 * Returns a constructor like `base` whose objects have `prototype`. With `Reflect.construct`, they would be as slow as
 * objects whose prototype was changed.
 */
function constructing<T extends typeof IncomingMessage | typeof ServerResponse>(
  base: T,
  prototype: object,
): T {
  // In Node, these two constructors are functions, not classes, so they can be called on an existing object.
  const initialise = base as unknown as (this: object, ...parts: readonly unknown[]) => void
  function Constructor(this: object, first: unknown, second: unknown): void {
    initialise.call(this, first, second)
  }
  Constructor.prototype = prototype
  return Constructor as unknown as T
}

/** Creates an HTTP server, not yet listening, with the limits of the settings and of open files. */
export function createHttpServer(
  settings: Settings,
  app: Express,
  files: Omit<ConnectionBounds, 'maxConnections'> = {},
): Server {
  const requestTimeout = settings['http.requestTimeoutMs']
  const server = createServer({
    ...expressConstructors(app),
    maxHeaderSize: settings['http.maxHeaderSize'],
    // Longer than every limit of `boundArrivals`, which enforces how long a body may take.
    requestTimeout: 2 * requestTimeout + settings['upload.timeoutMs'],
    headersTimeout: requestTimeout,
    // How often Node checks the two timeouts above.
    connectionsCheckingInterval: Math.min(requestTimeout, 5000),
    // Longer than the minute after which load balancers close idle connections, so that they close first.
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
  // Pass requests with an `Expect` header to the app. Node itself would answer with an error that has no envelope.
  server.on('checkExpectation', listener)
  answerClientErrors(server)
  holdRefused(server)
  return server
}

/**
 * In milliseconds. A little less than one second, the minimum of `Retry-After`, so a client that respects the header
 * notices no pause.
 */
const heldMs = 900

/**
 * Stops reading from a connection for a while after a 503 with `Retry-After`. If hundreds of clients retried
 * immediately, each turn of the event loop would send many 503s and take long, although Node accepts only one new
 * connection per turn.
 */
export function holdRefused(server: Server, ms: number = heldMs): void {
  server.on('request', ({ socket }, response) => {
    response.once('finish', () => {
      if (response.statusCode !== 503 || !response.hasHeader('Retry-After')) return
      // Wait a turn, because Node resumes reading once more to find the end of the request.
      setImmediate(() => {
        socket.pause()
        setTimeout(() => socket.resume(), ms).unref()
      })
    })
  })
}

/** Returns the number of open connections of a server. */
export const openConnections = (server: Server): number => connectionsOf.get(server)?.count() ?? 0

/** Time limits for closing a server, in milliseconds: the settings `http.shutdown…`. */
export type ClosingTimes = Readonly<{ delayMs?: number; timeoutMs: number; graceMs: number }>

/**
 * Closes a server gracefully. For `delayMs`, closes each connection after its next response, while load balancers learn
 * from health checks that the service is stopping. Then accepts the connections in the backlog, stops accepting, and
 * finishes requests. Closes each connection that has had no request for `graceMs`, and all that remain after
 * `timeoutMs`.
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
