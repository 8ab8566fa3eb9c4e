import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { clientKeyOf } from '../request/request-client.js'

export type TurnOptions = Readonly<{
  /** How long one turn of the event loop may start requests, in milliseconds. */
  maxMs?: number
  /** Number of turns to skip between two turns that start waiting requests. */
  turnsBetween?: number
  now?: () => number
  inNextTurn?: (run: () => void) => unknown
}>

/**
 * Starts requests for at most `maxMs` in each turn of the event loop; the others wait, and are started round-robin by
 * client address. While requests wait, only every (`turnsBetween` + 1)th turn starts any, because Node accepts only one
 * new connection per turn.
 */
export function inTurns(
  app: RequestListener,
  {
    maxMs = 5,
    turnsBetween = 10,
    now = () => performance.now(),
    inNextTurn = setImmediate,
  }: TurnOptions = {},
): RequestListener {
  type Pair = readonly [IncomingMessage, ServerResponse]
  const waiting = new Map<string, Pair[]>()
  /** Time at which the current turn stops starting requests. Undefined if it has started none yet. */
  let until: number | undefined
  const begin = (request: IncomingMessage, response: ServerResponse): void => {
    if (until === undefined) startTurn()
    app(request, response)
  }
  const startTurn = (): void => {
    until = now() + maxMs
    inNextTurn(nextTurn)
  }
  const nextTurn = (): void => {
    until = undefined
    if (waiting.size > 0) afterTurns(turnsBetween)
  }
  const afterTurns = (turns: number): void => {
    if (turns > 0) inNextTurn(() => afterTurns(turns - 1))
    else goOn()
  }
  const goOn = (): void => {
    startTurn()
    while (until !== undefined && now() < until) {
      const next = takeFirst(waiting)
      if (next === undefined) return
      if (!next[0].socket.destroyed) begin(...next)
    }
  }
  return (request, response) => {
    if (waiting.size === 0 && (until === undefined || now() < until)) {
      begin(request, response)
      return
    }
    const address = clientKeyOf(request)
    const queue = waiting.get(address)
    if (queue === undefined) waiting.set(address, [[request, response]])
    else queue.push([request, response])
  }
}

/** Removes the oldest request of the address whose turn it is, and moves that address to the end. */
function takeFirst<Item>(waiting: Map<string, Item[]>): Item | undefined {
  for (const [address, queue] of waiting) {
    const first = queue.shift()
    waiting.delete(address)
    if (queue.length > 0) waiting.set(address, queue)
    return first
  }
  return undefined
}
