import type { Server } from 'node:http'

/**
 * Length of the pause in milliseconds. `Retry-After` is at least one second, so a client that respects it does not
 * notice the pause.
 */
const heldMs = 900

/**
 * After a 503 with `Retry-After`, stops reading from the connection for a while. Sending a 503 takes time too, and Node
 * accepts only one new connection per turn of the event loop. If a few hundred clients retried at once, each turn would
 * take so long that nobody else could connect.
 */
export function holdRefused(server: Server, ms: number = heldMs): void {
  server.on('request', ({ socket }, response) => {
    response.once('finish', () => {
      if (response.statusCode !== 503 || !response.hasHeader('Retry-After')) return
      // Wait for the next turn of the event loop, because Node resumes reading once more to find the end of the
      // request.
      setImmediate(() => {
        socket.pause()
        setTimeout(() => socket.resume(), ms).unref()
      })
    })
  })
}
