import type { Server } from 'node:http'

/** Shorter than any `Retry-After`, whose unit is seconds. A client that respects it notices nothing. */
const heldMs = 900

/**
 * Pauses a connection for a while after a 503 with `Retry-After`. Refusing is work too, and Node accepts one new
 * connection per turn of its loop. A few hundred clients that retry at once would make turns so long that nobody else
 * gets in.
 */
export function holdRefused(server: Server, ms: number = heldMs): void {
  server.on('request', ({ socket }, response) => {
    response.once('finish', () => {
      if (response.statusCode !== 503 || !response.hasHeader('Retry-After')) return
      // Node itself resumes reading once, to find the end of the request.
      setImmediate(() => {
        socket.pause()
        setTimeout(() => socket.resume(), ms).unref()
      })
    })
  })
}
