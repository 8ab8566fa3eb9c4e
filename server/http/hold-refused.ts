import type { Server } from 'node:http'

/** Shorter than any `Retry-After`, which is told in seconds: who keeps to it never notices. */
const heldMs = 900

/**
 * Does not listen for a while to a connection that was told to come again later. Refusing is work too, and Node takes
 * one new connection in each turn of its loop: a few hundred clients that ask again at once would make turns so long
 * that nobody else is let in.
 */
export function holdRefused(server: Server, ms: number = heldMs): void {
  server.on('request', ({ socket }, response) => {
    response.once('finish', () => {
      if (response.statusCode !== 503 || !response.hasHeader('Retry-After')) return
      // Node itself reads on once, in search of the end of the request that was answered.
      setImmediate(() => {
        socket.pause()
        setTimeout(() => socket.resume(), ms).unref()
      })
    })
  })
}
