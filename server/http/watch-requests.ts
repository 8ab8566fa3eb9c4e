import type { Request, RequestHandler, Response } from 'express'
import { preciseNow } from '../../engine/steady-now.js'
import { beginStage, createTimeline, type Timeline, type StageName } from '../../engine/timeline.js'
import { pathOf } from './target-parts.js'
import { whenClosed } from './when-closed.js'

/** Which route answers, as one of a bounded number of texts. */
export type MatchedRoute = Readonly<{
  /** `/api/users/:id`, `/api/:type/:documentId`. */
  pattern: string
  /** Of content: the content-type's uid. */
  type?: string
}>

declare module 'node:http' {
  interface ServerResponse {
    /** What took how long; absent where nobody asks. */
    timeline?: Timeline
    /** Absent as long as no route was found. */
    route?: MatchedRoute
    /** To be called before the first byte of an answer is sent. */
    beforeSend?: () => void
  }
}

/** A request that is over. */
export type SeenRequest = Readonly<{
  id: string
  /** Of the trace that it belongs to. */
  traceId: string | undefined
  method: string
  /** Without the query string; what a client sent. */
  path: string
  route: MatchedRoute | undefined
  status: number
  /** Whether its client took the whole answer. */
  isComplete: boolean
  /** What went wrong and was not told. */
  error: Error | undefined
  /** By `preciseNow`. */
  from: number
  to: number
  timeline: Timeline
}>

/** Is told of every request when it is over, its answer taken or its client gone. */
export type RequestObserver = (seen: SeenRequest) => void

/** Is told of a request when it begins. @returns who wants to know of it when it is over; undefined: nobody */
export type FollowRequest = (request: Request) => RequestObserver | undefined

export type WatchOptions = Readonly<{
  observers: readonly RequestObserver[]
  /** Chooses the requests that it wants to know of. */
  follow?: FollowRequest | undefined
  /** `http.serverTiming`. */
  serverTiming: boolean
}>

/** Measures requests for those who want to know; undefined where nobody does. */
export function watchRequests({
  observers,
  follow,
  serverTiming: isTold,
}: WatchOptions): RequestHandler | undefined {
  if (observers.length === 0 && follow === undefined && !isTold) return undefined
  return (request, response, next) => {
    const own = follow?.(request)
    const told = own === undefined ? observers : [...observers, own]
    if (told.length === 0 && !isTold) return next()
    const from = preciseNow()
    const timeline = createTimeline()
    const { id, method, url } = request
    response.timeline = timeline
    let sent = (): void => undefined
    response.beforeSend = () => {
      if (isTold) tell(response, timeline, from)
      sent = beginStage(timeline, 'send')
    }
    if (told.length > 0)
      whenClosed(response, () => {
        sent()
        const { route, statusCode: status, writableFinished: isComplete, err: error } = response
        const { traceId } = request
        const about = { id, traceId, method, path: pathOf(url), route, status, isComplete, error }
        const seen = { ...about, from, to: preciseNow(), timeline }
        for (const observe of told) observe(seen)
      })
    next()
  }
}

function tell(response: Response, timeline: Timeline, from: number): void {
  if (!response.headersSent) response.setHeader('Server-Timing', serverTiming(timeline, from))
}

/**
 * The header of that name (W3C, Server Timing): how long each stage took until now, in milliseconds, those of one
 * name together, then all commands and the whole. `read-back;dur=2.1, db;dur=1.8;desc="3 commands", total;dur=4.2`
 * @param from when the request began, by `preciseNow`
 */
function serverTiming({ stages, commands, moreCommands }: Timeline, from: number): string {
  const now = preciseNow()
  const all = [...stageTimes(stages, now)].map(([name, ms]) => metric(name, ms))
  const count = commands.length + moreCommands
  if (count > 0) {
    const ms = commands.reduce((sum, { from, to = now }) => sum + to - from, 0)
    all.push(`${metric('db', ms)};desc="${count} ${count === 1 ? 'command' : 'commands'}"`)
  }
  return [...all, metric('total', now - from)].join(', ')
}

/** Milliseconds by stage; what has not ended is counted until now. */
export function stageTimes(
  stages: Timeline['stages'],
  now: number,
): ReadonlyMap<StageName, number> {
  const took = new Map<StageName, number>()
  for (const { name, from, to = now } of stages)
    took.set(name, (took.get(name) ?? 0) + Math.max(0, to - from))
  return took
}

const metric = (name: string, ms: number): string => `${name};dur=${Number(ms.toFixed(2))}`
