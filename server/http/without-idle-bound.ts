import type { Socket } from 'node:net'

/** Runs what has bounds of its own: a connection on which nothing moves meanwhile is not cut. */
export async function withoutIdleBound<T>(socket: Socket, run: () => Promise<T>): Promise<T> {
  const idleMs = socket.timeout ?? 0
  socket.setTimeout(0)
  try {
    return await run()
  } finally {
    socket.setTimeout(idleMs)
  }
}
