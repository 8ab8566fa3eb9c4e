import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { fail } from '../../../engine/errors.js'
import { hasBody } from '../request/arrivals.js'
import { endWithAnswer } from '../response/client-error.js'
import { monotonicNow } from '../../../engine/monotonic-now.js'
import { backlog } from './listen.js'
import { whenClosed } from '../response/when-closed.js'

/** Result of {@link trackConnections}. */
export type Connections = ReturnType<typeof trackConnections>

type Pair = readonly [IncomingMessage, ServerResponse]

type State = {
  current: Pair | undefined
  waiting: Pair[]
  idleSince: number
  /** Number of bytes that the socket had read at `idleSince`. If it has read more by now, a request is arriving. */
  read: number
}

/** Maximum number of pipelined requests that wait on a connection. The connection is closed after the last of them. */
const maxPipelined = 100
/** Maximum number of excess connections that are open at once, each only until it has received a 503. */
const maxRefusedAtOnce = 500
/** Interval between checks for idle connections while the server closes. */
const sweepMs = 20

/** Limits for open connections. */
export type ConnectionBounds = Readonly<{
  /** The setting `http.maxConnections`; 0 means no limit. */
  maxConnections: number
  /** Maximum number of open files of the process; default: no limit. */
  maxOpenFiles?: number | undefined
  /**
   * Called when a connection is refused for lack of open files; `served` is the number of connections that fit. Called
   * again only after the number of connections has fallen to half of `served`.
   */
  onFewFiles?: ((served: number) => void) | undefined
}>

/**
 * Manages the connections of a server. Pipelined requests run one after the other, because Express would start all at
 * once and keep their responses in memory. Excess connections get a 503: without free file descriptors, the system
 * would drop them without a response, and nothing could open files. Each connection counts as two open files: its
 * socket, and a file that it uploads or downloads.
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
      // Another pipelined request has arrived, so keep the connection open after the current response.
      else if (isClosing && state.current !== undefined) keepOpen(state.current[1])
    }
  }
  /**
   * Requests that arrived while the closing server accepts its backlog. They start when the backlog is empty, to keep
   * each turn of the event loop short. Undefined until the server closes.
   */
  let held: Pair[] | undefined
  return {
    count: () => open.size,
    /** From now on, closes each connection after its last pending response. */
    endEach,
    listener: (...pair: Pair): void => {
      if (held === undefined) receive(...pair)
      else held.push(pair)
    },
    /**
     * Accepts the connections in the backlog, then stops accepting. Closes each connection when it has had no request
     * for `graceMs`. Resolves when all connections are closed.
     */
    close: async (graceMs: number): Promise<void> => {
      held = []
      // Node accepts one connection per turn of the event loop, and stopping resets those left in the backlog. So wait
      // until no more are accepted.
      await setImmediate()
      for (let turns = 0, before = -1; turns < backlog && before < accepted; turns += 1) {
        before = accepted
        await setImmediate()
      }
      const closed = new Promise<void>((resolve) => {
        // `http.Server.close` would also close idle connections at once.
        NetServer.prototype.close.call(server, () => resolve())
      })
      // Do this only after the server has stopped accepting. Before, a client that reconnects would reach this server
      // again.
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
      // When a timer fires, Node may not have read data that has already arrived. One turn later, it has.
      const sweep = setInterval(() => void setImmediate().then(closeIdle), sweepMs)
      await closed
      clearInterval(sweep)
      server.close(() => undefined)
    },
  }
}

/** Returns whether the connection can be closed: it has no pending request, and no request is arriving. */
const isIdle = (socket: Socket, { current, waiting, read }: State): boolean =>
  current === undefined && waiting.length === 0 && socket.bytesRead === read

/**
 * Closes the connection after the last pending response, but only if the request has arrived completely by then: a
 * client that is still sending might not read the response.
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

function endWith(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close')
}

/** Keeps the connection open after this response. Without the explicit `keep-alive`, Node would send no header. */
function keepOpen(response: ServerResponse): void {
  if (!response.headersSent && response.hasHeader('Connection') && response.shouldKeepAlive)
    response.setHeader('Connection', 'keep-alive')
}

function refuse(socket: Socket, message: string): void {
  socket.on('error', () => undefined)
  endWithAnswer(socket, fail('unavailable', message, {}, { 'Retry-After': '1' }))
}
