import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { fail } from '../../engine/errors.js'
import { rawAnswer } from './client-error.js'
import { steadyNow } from '../../engine/steady-now.js'

/** The open connections of a server: how many there are, and what each of them does. */
export type Connections = Readonly<{
  /** Answers requests by the app, those of one connection one after the other. */
  listener: RequestListener
  /** From here on every answer says that it is the last of its connection. */
  endEach: () => void
  /**
   * Accepts nothing more, and closes each connection when it has carried no request for `graceMs`: one that was on
   * its way when the closing began is answered. Resolves when all are closed.
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
const maxRefusedAtOnce = 500
/** How long one that is refused may take to read why, in milliseconds. */
const refusalMs = 1000
/** How often a closing server looks for idle connections, in milliseconds. */
const sweepMs = 20

/** How many connections may be open. */
export type ConnectionBounds = Readonly<{
  /** `http.maxConnections`; 0 = any number. */
  maxConnections: number
  /** How many files the process may have open, connections among them; default: any number. */
  maxOpenFiles?: number | undefined
  /** Told when that is why the first one is refused, again only after half of the `served` ones have left. */
  onFewFiles?: ((served: number) => void) | undefined
}>

/**
 * Looks after the connections of a server; beyond their bounds they are answered 503. Express would begin every
 * request that a connection sends ahead, and hold all their answers.
 *
 * Where files run out, the system closes what wants to connect without a word to anybody, and the service can open
 * neither a file nor a connection to the database: each connection may have one file of its own, received or sent.
 */
export function trackConnections(
  server: Server,
  app: RequestListener,
  { maxConnections, maxOpenFiles = Infinity, onFewFiles }: ConnectionBounds,
): Connections {
  const open = new Map<Socket, State>()
  let isClosing = false
  const asked = maxConnections > 0 ? maxConnections : Infinity
  const served = Math.min(asked, Math.floor(maxOpenFiles / 2))
  const refusedAtOnce = Math.min(maxRefusedAtOnce, Math.floor(maxOpenFiles / 8))
  let isTold = false
  const refuseNext = (socket: Socket): void => {
    if (served === asked)
      return refuse(socket, 'Too many connections are open (http.maxConnections)')
    if (!isTold) onFewFiles?.(served)
    isTold = true
    refuse(socket, 'Too many connections are open')
  }
  const begin = (state: State, request: IncomingMessage, response: ServerResponse): void => {
    state.current = response
    if (isClosing) endWith(response)
    response.once('close', () => {
      state.current = undefined
      state.idleSince = steadyNow()
      const next = state.waiting.shift()
      if (next !== undefined && !request.socket.destroyed) begin(state, ...next)
    })
    app(request, response)
  }
  if (served < Infinity) server.maxConnections = served + refusedAtOnce
  server.on('connection', (socket) => {
    if (open.size >= served) return refuseNext(socket)
    open.set(socket, { current: undefined, waiting: [], idleSince: steadyNow() })
    socket.once('close', () => {
      open.delete(socket)
      if (open.size <= served / 2) isTold = false
    })
  })
  const endEach = (): void => {
    isClosing = true
    for (const { current } of open.values()) if (current !== undefined) endWith(current)
  }
  return {
    endEach,
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
      endEach()
      const closed = new Promise<void>((resolve) => {
        // That of HTTP resets idle connections at once.
        NetServer.prototype.close.call(server, () => resolve())
      })
      const since = steadyNow()
      const sweep = setInterval(() => {
        for (const [socket, { current, waiting, idleSince }] of open)
          if (current === undefined && waiting.length === 0)
            if (steadyNow() - Math.max(since, idleSince) >= graceMs) socket.destroy()
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

function refuse(socket: Socket, message: string): void {
  socket.on('error', () => undefined)
  socket.end(rawAnswer(fail('unavailable', { message }, {}, { 'Retry-After': '1' })))
  const timer = setTimeout(() => socket.destroy(), refusalMs)
  socket.once('close', () => clearTimeout(timer))
}
