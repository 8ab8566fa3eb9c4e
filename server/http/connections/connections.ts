import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { fail } from '../../../engine/errors.js'
import { hasBody } from '../request/arrivals.js'
import { endWithAnswer } from '../response/client-error.js'
import { monotonicNow } from '../../../engine/monotonic-now.js'
import { backlog } from './listen.js'
import { whenClosed } from '../response/when-closed.js'

/** The open connections of a server, with the requests of each. */
export type Connections = ReturnType<typeof trackConnections>

type Pair = readonly [IncomingMessage, ServerResponse]

type State = {
  current: Pair | undefined
  waiting: Pair[]
  idleSince: number
  /** Bytes that the socket had read at `idleSince`. If it has read more, a request has begun to arrive. */
  read: number
}

/** Maximum number of pipelined requests that wait on a connection. The connection ends after the last of them. */
const maxPipelined = 100
/** Maximum number of connections beyond the limit that are accepted at a time, only to send them a 503. */
const maxRefusedAtOnce = 500
/** Interval in milliseconds at which a closing server looks for idle connections. */
const sweepMs = 20

/** Limits of the open connections. */
export type ConnectionBounds = Readonly<{
  /** `http.maxConnections`; 0 = any number. */
  maxConnections: number
  /** Number of files that the process may have open, connections included; default: any number. */
  maxOpenFiles?: number | undefined
  /**
   * Called when the first connection is refused for lack of files. Called again only after the number of open
   * connections has fallen to half of `served`, the number that can be served.
   */
  onFewFiles?: ((served: number) => void) | undefined
}>

/**
 * Manages the connections of a server. Connections beyond the limits get 503. Runs pipelined requests of a connection
 * one after the other, because Express would begin all of them at once and hold all their responses.
 *
 * If the process runs out of files, the system closes new connections silently, and the service can open neither a file
 * nor a database connection. Therefore each connection counts as two files: its own, and a file that it uploads or
 * downloads.
 */
export function trackConnections(
  server: Server,
  app: RequestListener,
  { maxConnections, maxOpenFiles = Infinity, onFewFiles }: ConnectionBounds,
) {
  const open = new Map<Socket, State>()
  let isClosing = false
  let accepted = 0
  const limit = maxConnections > 0 ? maxConnections : Infinity
  const served = Math.min(limit, Math.floor(maxOpenFiles / 2))
  const refusedAtOnce = Math.min(maxRefusedAtOnce, Math.floor(maxOpenFiles / 8))
  let isLogged = false
  const refuseNext = (socket: Socket): void => {
    if (served === limit)
      return refuse(socket, 'Too many connections are open (http.maxConnections)')
    if (!isLogged) onFewFiles?.(served)
    isLogged = true
    refuse(socket, 'Too many connections are open')
  }
  const begin = (state: State, ...pair: Pair): void => {
    const [request, response] = pair
    state.current = pair
    if (isClosing) endLast(state)
    whenClosed(response, () => {
      state.current = undefined
      state.idleSince = monotonicNow()
      state.read = request.socket.bytesRead
      const next = state.waiting.shift()
      if (next !== undefined && !request.socket.destroyed) begin(state, ...next)
    })
    app(request, response)
  }
  if (served < Infinity) server.maxConnections = served + refusedAtOnce
  server.on('connection', (socket) => {
    accepted += 1
    if (open.size >= served) return refuseNext(socket)
    open.set(socket, { current: undefined, waiting: [], idleSince: monotonicNow(), read: 0 })
    socket.once('close', () => {
      open.delete(socket)
      if (open.size <= served / 2) isLogged = false
    })
  })
  const endEach = (): void => {
    isClosing = true
    for (const state of open.values()) endLast(state)
  }
  const receive = (...pair: Pair): void => {
    const [request, response] = pair
    const state = open.get(request.socket)
    // The connection was already refused.
    if (state === undefined) return
    if (state.current === undefined && state.waiting.length === 0) begin(state, ...pair)
    else if (state.waiting.length < maxPipelined) {
      if (state.waiting.push(pair) === maxPipelined) endWith(response)
      // A pipelined request has arrived, so the response before it is no longer the last of the connection.
      else if (isClosing && state.current !== undefined) keepOpen(state.current[1])
    }
  }
  /**
   * Requests that arrive while a closing server accepts the connections of the backlog. They are handled afterwards, so
   * that turns of the event loop stay short.
   */
  let held: Pair[] | undefined
  return {
    /** Returns the number of open connections. */
    count: () => open.size,
    /** Makes every response from now on the last of its connection. */
    endEach,
    /** Passes requests to the app. Requests of the same connection run one after the other. */
    listener: (...pair: Pair): void => {
      if (held === undefined) receive(...pair)
      else held.push(pair)
    },
    /**
     * Accepts the connections that are already in the backlog, then stops accepting. Closes each connection when it has
     * had no request for `graceMs`, so that requests already on their way are still handled. Resolves when all
     * connections are closed.
     */
    close: async (graceMs: number): Promise<void> => {
      held = []
      // Node accepts one connection per turn of its event loop. When it stops listening, it resets those that still
      // wait.
      await setImmediate()
      for (let turns = 0, before = -1; turns < backlog && before < accepted; turns += 1) {
        before = accepted
        await setImmediate()
      }
      const closed = new Promise<void>((resolve) => {
        // `http.Server.close` would reset idle connections at once.
        NetServer.prototype.close.call(server, () => resolve())
      })
      // Not before the server stops accepting: a client that reconnects would reach the closing server again.
      endEach()
      const taken = held
      held = undefined
      for (const pair of taken) receive(...pair)
      const since = monotonicNow()
      const closeIdle = (): void => {
        for (const [socket, state] of open)
          if (isIdle(socket, state) && monotonicNow() - Math.max(since, state.idleSince) >= graceMs)
            socket.destroy()
      }
      // Wait for the next turn: in the turn of a timer, data that has arrived is not read yet.
      const sweep = setInterval(() => void setImmediate().then(closeIdle), sweepMs)
      await closed
      clearInterval(sweep)
      // Releases the other resources of the HTTP server.
      server.close(() => undefined)
    },
  }
}

/**
 * Returns whether a connection has no request and none has begun to arrive. A client that is sending a request's head
 * is not cut off.
 */
const isIdle = (socket: Socket, { current, waiting, read }: State): boolean =>
  current === undefined && waiting.length === 0 && socket.bytesRead === read

/**
 * Makes the last pending response the last of its connection, but only after its request has arrived completely. A
 * client that is still sending would be reset and might never read the response.
 */
function endLast(state: State): void {
  const { current, waiting } = state
  if (current === undefined || waiting.length > 0) return
  const [request, response] = current
  if (request.complete || !hasBody(request)) endWith(response)
  else
    request.once('end', () => {
      if (state.current === current) endLast(state)
    })
}

/** Makes the response the last of its connection. */
function endWith(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close')
}

/** Sets `keep-alive` explicitly, because Node sends no `Connection` header after a previous one was removed. */
function keepOpen(response: ServerResponse): void {
  if (!response.headersSent && response.hasHeader('Connection') && response.shouldKeepAlive)
    response.setHeader('Connection', 'keep-alive')
}

function refuse(socket: Socket, message: string): void {
  socket.on('error', () => undefined)
  endWithAnswer(socket, fail('unavailable', message, {}, { 'Retry-After': '1' }))
}
