import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { Client, CommandHandler } from './command-handler.js'
import { FramingError, MessageReader } from './message-reader.js'

/** Bytes after which a client that sends without awaiting replies is not read any further. */
const readAheadBytes = 1_000_000

/**
 * Serves one connection. Its messages are answered one after the other, in order, as drivers expect. Commands run in
 * parallel over several connections.
 */
export function serveConnection(socket: Socket, handler: CommandHandler): void {
  const reader = new MessageReader()
  const leaving = new AbortController()
  const client: Client = { gone: leaving.signal, isWorker: false }
  let isBusy = false

  socket.setNoDelay(true)
  socket.on('error', () => socket.destroy())
  socket.on('close', () => leaving.abort())
  socket.on('data', (chunk) => {
    reader.push(chunk)
    if (!isBusy) void serveMessages()
    else if (reader.buffered > readAheadBytes) socket.pause()
  })

  async function serveMessages(): Promise<void> {
    isBusy = true
    try {
      for (let message = reader.take(); message; message = reader.take()) {
        const frame = await handler.answer(message, client)
        if (socket.destroyed) return
        if (frame && !send(socket, frame))
          await once(socket, 'drain', { signal: client.gone }).catch(() => undefined)
      }
    } catch (error) {
      // After a wrong length nothing can be read any more. The handler answers all other errors.
      socket.destroy(error instanceof FramingError ? undefined : (error as Error))
    } finally {
      isBusy = false
    }
    if (socket.isPaused()) socket.resume()
  }
}

function send(socket: Socket, frame: readonly Buffer[]): boolean {
  socket.cork()
  const isFlushed = frame.map((part) => socket.write(part)).every(Boolean)
  socket.uncork()
  return isFlushed
}
