import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { clientKeyOf } from './address.js'

export type TurnOptions = Readonly<{
  /** Milliseconds of one turn of the event loop in which requests are begun. */
  maxMs?: number
  /** Turns that take in what comes and begin nothing, after one that has left requests waiting. */
  turnsBetween?: number
  now?: () => number
  /** Calls in the next turn. */
  inNextTurn?: (run: () => void) => unknown
}>

/**
 * Begins requests as they come as long as that takes little of a turn of the event loop, and the others in the turns
 * that follow, one of each address after the other. Node takes one new connection in each turn, so hundreds of clients
 * whose requests come at once would keep everybody else from being let in: between those turns are some that only take
 * in what comes. And who asks once is not to wait behind all that somebody else has asked.
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
  /** When what is begun in this turn is enough; undefined = nothing was begun in it. */
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
      // Whose client has gone meanwhile needs no answer.
      if (!next[0].socket.destroyed) begin(...next)
    }
  }
  return (request, response) => {
    if (waiting.size === 0 && (until === undefined || now() < until)) {
      begin(request, response)
      return
    }
    const address = clientKeyOf(request)
    const line = waiting.get(address)
    if (line === undefined) waiting.set(address, [[request, response]])
    else line.push([request, response])
  }
}

/** The first of the address whose turn it is, which goes behind the others. */
function takeFirst<Item>(waiting: Map<string, Item[]>): Item | undefined {
  for (const [address, line] of waiting) {
    const first = line.shift()
    waiting.delete(address)
    if (line.length > 0) waiting.set(address, line)
    return first
  }
  return undefined
}
