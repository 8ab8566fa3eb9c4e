import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { fail } from '../../engine/errors.js'
import { rawAnswer } from './client-error.js'

/** The open connections of a server: how many there are, and what each of them does. */
export type Connections = Readonly<{
  /** Answers requests by the app, those of one connection one after the other. */
  listener: RequestListener
  /**
   * Accepts nothing more, and closes each connection when it has carried no request for `graceMs`: one that was on
   * its way when the closing began is answered. Every answer says that it is the last. Resolves when all are closed.
   */
  close: (graceMs: number) => Promise<void>
}>

type State = {
  current: ServerResponse | undefined
  waiting: (readonly [IncomingMessage, ServerResponse])[]
  idleSince: number
}

/** Requests that one connection may send ahead; the last of them ends it. */
const maxPipelined = 100
/** Connections that may be open beside those that are served, to be told that they are not. */
const refusedAtOnce = 500
/** How long one that is refused may take to read why, in milliseconds. */
const refusalMs = 1000
/** How often a closing server looks for idle connections, in milliseconds. */
const sweepMs = 20

/**
 * Looks after the connections of a server; `maxConnections` of them at most (0 = any number), others are
 * answered 503. Express would begin every request that a connection sends ahead, and hold all their answers.
 */
export function trackConnections(
  server: Server,
  app: RequestListener,
  maxConnections: number,
): Connections {
  const open = new Map<Socket, State>()
  let isClosing = false
  const begin = (state: State, request: IncomingMessage, response: ServerResponse): void => {
    state.current = response
    if (isClosing) endWith(response)
    response.once('close', () => {
      state.current = undefined
      state.idleSince = Date.now()
      const next = state.waiting.shift()
      if (next !== undefined && !request.socket.destroyed) begin(state, ...next)
    })
    app(request, response)
  }
  if (maxConnections > 0) server.maxConnections = maxConnections + refusedAtOnce
  server.on('connection', (socket) => {
    if (maxConnections > 0 && open.size >= maxConnections) {
      refuse(socket)
      return
    }
    open.set(socket, { current: undefined, waiting: [], idleSince: Date.now() })
    socket.once('close', () => open.delete(socket))
  })
  return {
    listener: (request, response) => {
      const state = open.get(request.socket)
      // Of a connection that was refused.
      if (state === undefined) return
      if (state.current === undefined && state.waiting.length === 0) begin(state, request, response)
      else if (state.waiting.length < maxPipelined) {
        if (state.waiting.push([request, response]) === maxPipelined) endWith(response)
      }
    },
    close: async (graceMs) => {
      isClosing = true
      for (const { current } of open.values()) if (current !== undefined) endWith(current)
      const closed = new Promise<void>((resolve) => {
        // That of HTTP resets idle connections at once.
        NetServer.prototype.close.call(server, () => resolve())
      })
      const since = Date.now()
      const sweep = setInterval(() => {
        for (const [socket, { current, waiting, idleSince }] of open)
          if (current === undefined && waiting.length === 0)
            if (Date.now() - Math.max(since, idleSince) >= graceMs) socket.destroy()
      }, sweepMs)
      await closed
      clearInterval(sweep)
      // What else HTTP's has to let go of.
      server.close(() => undefined)
    },
  }
}

/** The answer is the last of its connection. */
function endWith(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close')
}

function refuse(socket: Socket): void {
  const message = 'Too many connections are open (http.maxConnections)'
  socket.on('error', () => undefined)
  socket.end(rawAnswer(fail('unavailable', { message }, {}, { 'Retry-After': '1' })))
  const timer = setTimeout(() => socket.destroy(), refusalMs)
  socket.once('close', () => clearTimeout(timer))
}
