import { createServer, type RequestListener, type Server } from 'node:http'
import type { Settings } from '../settings.js'
import { answerClientErrors } from './client-error.js'

/** An HTTP server with the bounds of the settings; not listening yet. */
export function createHttpServer(settings: Settings, listener: RequestListener): Server {
  const requestTimeout = settings['http.requestTimeoutMs']
  const server = createServer(
    {
      maxHeaderSize: settings['http.maxHeaderSize'],
      requestTimeout,
      headersTimeout: requestTimeout,
      // How often the two above are looked after.
      connectionsCheckingInterval: Math.min(requestTimeout, 5000),
      keepAliveTimeout: 5000,
      requireHostHeader: false,
    },
    listener,
  )
  // An `Expect` that is not understood is passed over instead of answered without an envelope.
  server.on('checkExpectation', listener)
  answerClientErrors(server)
  return server
}

/**
 * Stops accepting, lets requests in flight finish for up to `timeoutMs`, then cuts what is left.
 * Idle connections are closed at once, and the others as soon as they are idle.
 */
export async function closeHttpServer(server: Server, timeoutMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const sweep = setInterval(() => server.closeIdleConnections(), 20)
  const cut = setTimeout(() => server.closeAllConnections(), timeoutMs)
  await closed
  clearInterval(sweep)
  clearTimeout(cut)
}
