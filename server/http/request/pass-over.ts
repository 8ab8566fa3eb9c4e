import type { IncomingMessage } from 'node:http'

/** Maximum number of bytes to discard. Most bodies are smaller, so that most clients can read the error. */
const maxBytes = 16_777_216
const maxMs = 5000

/**
 * Discards the rest of a rejected request, which the connection's next request would otherwise wait for. A client that
 * is still sending can then read the error.
 * @returns false if the rest is too large or arrives too slowly; then the connection must be closed
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
    request.resume()
  })
}
