import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { clientKeyOf } from '../request/address.js'

export type TurnOptions = Readonly<{
  /** Milliseconds per turn of the event loop in which requests are started. */
  maxMs?: number
  /** Turns that only accept connections and requests, after a turn that left requests waiting. */
  turnsBetween?: number
  now?: () => number
  /** Schedules a call in the next turn. */
  inNextTurn?: (run: () => void) => unknown
}>

/**
 * Starts requests as they come while that takes little of a turn of the event loop. The others start in later turns,
 * one of each address after the other. So a client with one request does not wait behind all those of another. Node
 * accepts one new connection per turn. Hundreds of concurrent requests would keep new clients from connecting, so some
 * turns between only accept.
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
  /** When this turn has started enough; undefined = it has started nothing. */
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
      // Skip it if its client has gone meanwhile.
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

/** Takes the first entry of the next address, and moves the address behind the others. */
function takeFirst<Item>(waiting: Map<string, Item[]>): Item | undefined {
  for (const [address, queue] of waiting) {
    const first = queue.shift()
    waiting.delete(address)
    if (queue.length > 0) waiting.set(address, queue)
    return first
  }
  return undefined
}
