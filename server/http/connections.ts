import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { fail } from '../../engine/errors.js'
import { hasBody } from './arrivals.js'
import { endWithAnswer } from './client-error.js'
import { steadyNow } from '../../engine/steady-now.js'
import { backlog } from './listen.js'
import { whenClosed } from './when-closed.js'

/** The open connections of a server: how many there are, and what each of them does. */
export type Connections = ReturnType<typeof trackConnections>

type Pair = readonly [IncomingMessage, ServerResponse]

type State = {
  current: Pair | undefined
  waiting: Pair[]
  idleSince: number
  /** What its socket had read by then: more is the beginning of a request. */
  read: number
}

/** Requests that one connection may send ahead; the last of them ends it. */
const maxPipelined = 100
/** Connections that may be open beside those that are served, to be told that they are not. */
const maxRefusedAtOnce = 500
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
) {
  const open = new Map<Socket, State>()
  let isClosing = false
  let accepted = 0
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
  const begin = (state: State, ...pair: Pair): void => {
    const [request, response] = pair
    state.current = pair
    if (isClosing) endLast(state)
    whenClosed(response, () => {
      state.current = undefined
      state.idleSince = steadyNow()
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
    open.set(socket, { current: undefined, waiting: [], idleSince: steadyNow(), read: 0 })
    socket.once('close', () => {
      open.delete(socket)
      if (open.size <= served / 2) isTold = false
    })
  })
  const endEach = (): void => {
    isClosing = true
    for (const state of open.values()) endLast(state)
  }
  const receive = (...pair: Pair): void => {
    const [request, response] = pair
    const state = open.get(request.socket)
    // Of a connection that was refused.
    if (state === undefined) return
    if (state.current === undefined && state.waiting.length === 0) begin(state, ...pair)
    else if (state.waiting.length < maxPipelined) {
      if (state.waiting.push(pair) === maxPipelined) endWith(response)
      // It was sent ahead: the answer before it is not the last any more.
      else if (isClosing && state.current !== undefined) keepOpen(state.current[1])
    }
  }
  /** While connections are taken in, so that turns are short. */
  let held: Pair[] | undefined
  return {
    /** How many are open. */
    count: () => open.size,
    /** From here on every answer says that it is the last of its connection. */
    endEach,
    /** Answers requests by the app, those of one connection one after the other. */
    listener: (...pair: Pair): void => {
      if (held === undefined) receive(...pair)
      else held.push(pair)
    },
    /**
     * Accepts what the system has let in, and nothing more; then closes each connection when it has carried no request
     * for `graceMs`: one that was on its way when the closing began is answered. Resolves when all are closed.
     */
    close: async (graceMs: number): Promise<void> => {
      held = []
      // Node accepts one connection in each turn of its loop. Connections that still wait when it stops are reset.
      await setImmediate()
      for (let turns = 0, before = -1; turns < backlog && before < accepted; turns += 1) {
        before = accepted
        await setImmediate()
      }
      const closed = new Promise<void>((resolve) => {
        // That of HTTP resets idle connections at once.
        NetServer.prototype.close.call(server, () => resolve())
      })
      // Not before: who is told has to connect anew, and would find the door open a moment too long.
      endEach()
      const taken = held
      held = undefined
      for (const pair of taken) receive(...pair)
      const since = steadyNow()
      const closeIdle = (): void => {
        for (const [socket, state] of open)
          if (isIdle(socket, state) && steadyNow() - Math.max(since, state.idleSince) >= graceMs)
            socket.destroy()
      }
      // In the turn that a timer is called in, nothing that has arrived was read yet.
      const sweep = setInterval(() => void setImmediate().then(closeIdle), sweepMs)
      await closed
      clearInterval(sweep)
      // What else HTTP's has to let go of.
      server.close(() => undefined)
    },
  }
}

/** Neither a request nor the beginning of one: who is sending a head is not cut off in the middle of it. */
const isIdle = (socket: Socket, { current, waiting, read }: State): boolean =>
  current === undefined && waiting.length === 0 && socket.bytesRead === read

/**
 * The last answer of those that a connection has asked for is the last of all. Not one that is given before its
 * request has arrived: a client that is still sending would be reset, and might never read it.
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

/** The answer is the last of its connection. */
function endWith(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close')
}

/** It says so: where the header was taken away again, Node sends none. */
function keepOpen(response: ServerResponse): void {
  if (!response.headersSent && response.hasHeader('Connection') && response.shouldKeepAlive)
    response.setHeader('Connection', 'keep-alive')
}

function refuse(socket: Socket, message: string): void {
  socket.on('error', () => undefined)
  endWithAnswer(socket, fail('unavailable', message, {}, { 'Retry-After': '1' }))
}
