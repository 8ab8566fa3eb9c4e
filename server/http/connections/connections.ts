import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { fail } from '../../../engine/errors.js'
import { hasBody } from '../request/arrivals.js'
import { endWithAnswer } from '../response/client-error.js'
import { monotonicNow } from '../../../engine/monotonic-now.js'
import { backlog } from './listen.js'
import { whenClosed } from '../response/when-closed.js'

/** The open connections of a server, and what each of them does. */
export type Connections = ReturnType<typeof trackConnections>

type Pair = readonly [IncomingMessage, ServerResponse]

type State = {
  current: Pair | undefined
  waiting: Pair[]
  idleSince: number
  /** Bytes that the socket had read by then. More bytes mean that a request begins. */
  read: number
}

/** Pipelined requests that a connection may have waiting. The connection ends after the last of them. */
const maxPipelined = 100
/** Further connections that may be open at a time only to receive a 503. */
const maxRefusedAtOnce = 500
/** How often a closing server looks for idle connections, in milliseconds. */
const sweepMs = 20

/** Limits of the open connections. */
export type ConnectionBounds = Readonly<{
  /** `http.maxConnections`; 0 = any number. */
  maxConnections: number
  /** Number of files that the process may have open, connections included; default: any number. */
  maxOpenFiles?: number | undefined
  /**
   * Called when the first connection is refused for lack of files. Called again only after half of the `served`
   * connections have closed.
   */
  onFewFiles?: ((served: number) => void) | undefined
}>

/**
 * Manages the connections of a server. Connections beyond the limits get 503. Express would begin every pipelined
 * request at once and hold all the responses, so those of one connection run one after the other.
 *
 * If the process runs out of files, the system closes new connections silently, and the service can open neither a file
 * nor a database connection. So each connection is counted as two files: one for itself and one that it receives or
 * sends.
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
    // The connection was refused.
    if (state === undefined) return
    if (state.current === undefined && state.waiting.length === 0) begin(state, ...pair)
    else if (state.waiting.length < maxPipelined) {
      if (state.waiting.push(pair) === maxPipelined) endWith(response)
      // It is pipelined, so the response before it is not the last one any more.
      else if (isClosing && state.current !== undefined) keepOpen(state.current[1])
    }
  }
  /** Requests that arrive while a closing server accepts waiting connections. Deferring them keeps loop turns short. */
  let held: Pair[] | undefined
  return {
    /** Returns the number of open connections. */
    count: () => open.size,
    /** Makes every response from now on the last of its connection. */
    endEach,
    /** Passes requests to the app, those of one connection one after the other. */
    listener: (...pair: Pair): void => {
      if (held === undefined) receive(...pair)
      else held.push(pair)
    },
    /**
     * Accepts the connections that are already in the backlog, then stops accepting. Closes each connection when it has
     * carried no request for `graceMs`, so that requests already on their way are still handled. Resolves when all are
     * closed.
     */
    close: async (graceMs: number): Promise<void> => {
      held = []
      // Node accepts one connection per turn of its loop. Connections that are still waiting when it stops are reset.
      await setImmediate()
      for (let turns = 0, before = -1; turns < backlog && before < accepted; turns += 1) {
        before = accepted
        await setImmediate()
      }
      const closed = new Promise<void>((resolve) => {
        // `http.Server.close` would reset idle connections at once.
        NetServer.prototype.close.call(server, () => resolve())
      })
      // Not earlier: clients that must reconnect would reach this server again while it still accepts.
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
      // In the loop turn of a timer, arrived data has not been read yet.
      const sweep = setInterval(() => void setImmediate().then(closeIdle), sweepMs)
      await closed
      clearInterval(sweep)
      // Releases the other resources of the HTTP server.
      server.close(() => undefined)
    },
  }
}

/**
 * Whether a connection has no request and has not begun to send one. A client that is sending a head is not cut off.
 */
const isIdle = (socket: Socket, { current, waiting, read }: State): boolean =>
  current === undefined && waiting.length === 0 && socket.bytesRead === read

/**
 * Makes the last pending response the last of its connection. It does not do so before the request has arrived
 * completely: a client that is still sending would be reset and might never read the response.
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

/** Sets `keep-alive` explicitly, because Node sends no header after the previous one was removed. */
function keepOpen(response: ServerResponse): void {
  if (!response.headersSent && response.hasHeader('Connection') && response.shouldKeepAlive)
    response.setHeader('Connection', 'keep-alive')
}

function refuse(socket: Socket, message: string): void {
  socket.on('error', () => undefined)
  endWithAnswer(socket, fail('unavailable', message, {}, { 'Retry-After': '1' }))
}
