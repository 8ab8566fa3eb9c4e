import type { Request, RequestHandler, Response } from 'express'
import { preciseNow } from '../../../engine/monotonic-now.js'
import {
  beginStage,
  createTimeline,
  type Timeline,
  type StageName,
} from '../../../engine/timeline.js'
import { countText } from '../../../engine/values/count-text.js'
import { pathOf } from '../request/target-parts.js'
import { whenClosed } from '../response/when-closed.js'

/**
 * The route that a request matched. There are only a few different patterns, so they can be used as labels of metrics.
 */
export type MatchedRoute = Readonly<{
  /** The path with parameter names instead of values: `/api/users/:id`, `/api/:type/:documentId`. */
  pattern: string
  /** Uid of the content-type, for a content route. */
  type?: string
}>

declare module 'node:http' {
  interface ServerResponse {
    /** Records the duration of each stage of the request; absent if nothing observes it. */
    timeline?: Timeline
    /** The matched route; absent until routing has found one. */
    route?: MatchedRoute
    /** Called just before the response is sent. */
    beforeSend?: () => void
  }
}

/** A finished request. */
export type SeenRequest = Readonly<{
  id: string
  /** Id of the trace that the request belongs to. */
  traceId: string | undefined
  method: string
  /** The path exactly as the client sent it, without the query string. */
  path: string
  route: MatchedRoute | undefined
  status: number
  /** Whether the whole response was handed to the operating system for sending. */
  isComplete: boolean
  /** An error that is hidden from the client. */
  error: Error | undefined
  /** Start of the request, on the clock `preciseNow`. `to` is the end of the request. */
  from: number
  to: number
  timeline: Timeline
}>

/** Called for every request after its response has been sent or its client has disconnected. */
export type RequestObserver = (seen: SeenRequest) => void

/** Called when a request begins. Returns an additional observer for this request, or undefined. */
export type FollowRequest = (request: Request) => RequestObserver | undefined

export type WatchOptions = Readonly<{
  observers: readonly RequestObserver[]
  /** Chooses an additional observer for each request. */
  follow?: FollowRequest | undefined
  /** The setting `http.serverTiming`. */
  serverTiming: boolean
}>

/**
 * Returns a middleware that measures requests for the observers. Returns undefined if nothing needs the measurements.
 */
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
 * Returns the value of the `Server-Timing` header (W3C, Server Timing). It contains the milliseconds of each stage so
 * far, then of all database commands, then of the whole request. Stages with the same name are added up.
 * `read-back;dur=2.1, db;dur=1.8;desc="3 commands", total;dur=4.2`
 * @param from start of the request, on the clock `preciseNow`
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

/**
 * Returns the total milliseconds of each stage, by name. For a stage that has not ended, counts the time until `now`.
 */
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
