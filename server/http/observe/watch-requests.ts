import type { Request, RequestHandler, Response } from 'express'
import { preciseNow } from '../../../engine/monotonic-now.js'
import {
  beginStage,
  createTimeline,
  type Timeline,
  type StageName,
} from '../../../engine/timeline.js'
import { countText } from '../../../engine/values/count-text.js'
import { pathOf } from '../request/target.js'
import { whenClosed } from '../response/when-closed.js'

/** The route that a request matched. There are few patterns, so they can be labels of metrics. */
export type MatchedRoute = Readonly<{
  /** For example `/api/users/:id` or `/api/:type/:documentId`. */
  pattern: string
  type?: string
}>

declare module 'node:http' {
  interface ServerResponse {
    /** Absent if nothing observes the request. */
    timeline?: Timeline
    route?: MatchedRoute
    beforeSend?: () => void
  }
}

/** A finished request. */
export type SeenRequest = Readonly<{
  id: string
  traceId: string | undefined
  method: string
  /** The path as the client sent it, without the query string. */
  path: string
  route: MatchedRoute | undefined
  status: number
  /** Whether the whole response was handed to the operating system. */
  isComplete: boolean
  /** An error that the client did not see. */
  error: Error | undefined
  /** Start of the request, by `preciseNow`; `to` is its end. */
  from: number
  to: number
  timeline: Timeline
}>

/** Called when a response has been sent or its client has disconnected. */
export type RequestObserver = (seen: SeenRequest) => void

/** Called when a request begins. Returns an additional observer for it, or undefined. */
export type FollowRequest = (request: Request) => RequestObserver | undefined

export type WatchOptions = Readonly<{
  observers: readonly RequestObserver[]
  follow?: FollowRequest | undefined
  serverTiming: boolean
}>

/** Returns a middleware that measures requests, or undefined if nothing needs the measurements. */
export function watchRequests({
  observers,
  follow,
  serverTiming: withHeader,
}: WatchOptions): RequestHandler | undefined {
  if (observers.length === 0 && follow === undefined && !withHeader) return undefined
  return (request, response, next) => {
    const own = follow?.(request)
    const all = own === undefined ? observers : [...observers, own]
    if (all.length === 0 && !withHeader) return next()
    const from = preciseNow()
    const timeline = createTimeline()
    const { id, method, url } = request
    response.timeline = timeline
    let sent = (): void => undefined
    response.beforeSend = () => {
      if (withHeader) setServerTiming(response, timeline, from)
      sent = beginStage(timeline, 'send')
    }
    if (all.length > 0)
      whenClosed(response, () => {
        sent()
        const { route, statusCode: status, writableFinished: isComplete, err: error } = response
        const { traceId } = request
        const about = { id, traceId, method, path: pathOf(url), route, status, isComplete, error }
        const seen = { ...about, from, to: preciseNow(), timeline }
        for (const observe of all) observe(seen)
      })
    next()
  }
}

function setServerTiming(response: Response, timeline: Timeline, from: number): void {
  if (!response.headersSent) response.setHeader('Server-Timing', serverTiming(timeline, from))
}

/**
 * Returns a `Server-Timing` header (W3C, Server Timing), in milliseconds; `db` is the sum of all database commands:
 * `read-back;dur=2.1, db;dur=1.8;desc="3 commands", total;dur=4.2`
 * @param from start of the request, by `preciseNow`
 */
function serverTiming({ stages, commands, moreCommands }: Timeline, from: number): string {
  const now = preciseNow()
  const all = [...stageTimes(stages, now)].map(([name, ms]) => metric(name, ms))
  const count = commands.length + moreCommands
  if (count > 0) {
    const ms = commands.reduce((sum, { from, to = now }) => sum + to - from, 0)
    all.push(`${metric('db', ms)};desc="${countText(count, 'command')}"`)
  }
  return [...all, metric('total', now - from)].join(', ')
}

/** Returns the total milliseconds of each stage. A stage that is still running counts until `now`. */
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
