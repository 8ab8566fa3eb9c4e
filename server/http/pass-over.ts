import type { IncomingMessage } from 'node:http'

/** What a client may still send that is refused: as much as a large body, so that most are told why. */
const maxBytes = 16_777_216
const maxMs = 5000

/**
 * Takes what a client sends that is refused, and keeps nothing of it: left there, it would stand in the way of the
 * connection's next request, and who is still sending is reset before they read why.
 * @returns whether that was all; false where it is too much or takes too long, and the connection has to end
 */
export function passOver(
  request: IncomingMessage,
  bounds: Readonly<{ bytes: number; ms: number }> = { bytes: maxBytes, ms: maxMs },
): Promise<boolean> {
  if (request.readableEnded || request.destroyed) return Promise.resolve(true)
  if (Number(request.headers['content-length'] ?? 0) > bounds.bytes) return Promise.resolve(false)
  return new Promise((resolve) => {
    let bytes = 0
    const end = (isAll: boolean): void => {
      clearTimeout(timer)
      request.off('data', onData).off('end', onEnd).off('close', onEnd)
      if (!isAll) request.pause()
      resolve(isAll)
    }
    const onEnd = (): void => end(true)
    const onData = (chunk: Uint8Array): void => {
      bytes += chunk.byteLength
      if (bytes > bounds.bytes) end(false)
    }
    const timer = setTimeout(() => end(false), bounds.ms)
    request.on('data', onData).once('end', onEnd).once('close', onEnd)
    // What has read it so far may have stopped it.
    request.resume()
  })
}
