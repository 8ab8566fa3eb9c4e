import type { Server } from 'node:http'

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
