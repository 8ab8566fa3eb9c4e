import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { Client, CommandHandler } from './command-handler.js'
import { FramingError, MessageReader } from './message-reader.js'

/** A client that sends on without awaiting replies is read no further than this. */
const readAheadBytes = 1_000_000

/**
 * Serves one connection: its messages are answered one after the other, in their order, which is
 * how drivers await them. Commands run in parallel by coming on several connections.
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
      // After a wrong length nothing can be read any more; all else is answered by the handler.
      socket.destroy(error instanceof FramingError ? undefined : (error as Error))
    } finally {
      isBusy = false
    }
    if (socket.isPaused()) socket.resume()
  }
}

function send(socket: Socket, frame: readonly Buffer[]): boolean {
  socket.cork()
  const hasRoom = frame.map((part) => socket.write(part)).every(Boolean)
  socket.uncork()
  return hasRoom
}
