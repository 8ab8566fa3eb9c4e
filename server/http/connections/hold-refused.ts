import type { Server } from 'node:http'

/**
 * Pause in milliseconds. It is shorter than any `Retry-After`, whose unit is seconds, so that clients which respect
 * that header notice nothing.
 */
const heldMs = 900

/**
 * Pauses a connection after a 503 with `Retry-After`. Sending a 503 takes time too, and Node accepts one new connection
 * per turn of its event loop. If a few hundred clients retried at once, the turns would take so long that nobody else
 * could connect.
 */
export function holdRefused(server: Server, ms: number = heldMs): void {
  server.on('request', ({ socket }, response) => {
    response.once('finish', () => {
      if (response.statusCode !== 503 || !response.hasHeader('Retry-After')) return
      // Wait for the next turn, because Node itself resumes reading once to find the end of the request.
      setImmediate(() => {
        socket.pause()
        setTimeout(() => socket.resume(), ms).unref()
      })
    })
  })
}
