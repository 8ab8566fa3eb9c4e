import express, { type ErrorRequestHandler, type Express } from 'express'
import type { Logger } from 'pino'
import type { Admission } from '../../workers/admission.js'
import { isOverdue, unreachable } from '../../engine/errors/database-errors.js'
import { ApiError } from '../../engine/errors.js'
import { steadyNow, type Clock } from '../../engine/steady-now.js'
import { accessLog, type FailureObserver } from '../http/access-log.js'
import { apiPrefix } from '../http/api-prefix.js'
import { createBodyReader, toError } from '../http/body.js'
import { createBodyBudget } from '../http/body-budget.js'
import { checkTarget } from '../http/check-target.js'
import { crossOrigin } from '../http/cross-origin.js'
import type { Dispatcher } from '../http/dispatcher.js'
import { createEndpointRunner } from '../http/endpoint.js'
import type { EndpointParts } from '../http/endpoint-parts.js'
import { errorReply, toApiError } from '../http/error-reply.js'
import { createMultipartReader } from '../http/multipart.js'
import { createAttemptLimit, requestLimit, type SharedCounts } from '../http/rate-limit.js'
import type { Route } from '../http/route.js'
import { publicCaching } from '../http/public-caching.js'
import { mountRoutes } from '../http/routing.js'
import { securityHeaders } from '../http/security-headers.js'
import { sendReply } from '../http/send-reply.js'
import { parseTrustedProxies } from '../http/trust-proxy.js'
import { createCompress } from '../http/compress.js'
import type { Unsent } from '../http/unsent.js'
import { watchRequests, type FollowRequest, type RequestObserver } from '../http/watch-requests.js'
import { createUploadPlaces } from '../http/upload-places.js'
import type { Settings } from '../settings/settings.js'

export type AppParts = Pick<EndpointParts, 'access' | 'writes' | 'unsent' | 'refusal'> &
  Readonly<{
    settings: Settings
    log: Logger
    /** The built-in routes of every feature. */
    routes: readonly Route[]
    /** What answers the other paths of `/api`. */
    content: Dispatcher
    /** How instances count attempts together; default: each counts for itself. */
    counts?: SharedCounts | undefined
    /** Who may wait for a turn, and for how long. */
    admission: Admission
    /** Whether the database has a server that takes requests; default: it is not known to have none. */
    isServed?: (() => boolean) | undefined
    /** What the time of reads is measured by; default: a clock that never stands still. */
    clock?: Clock | undefined
    /** Told of every request that is over; default: nobody. */
    observers?: readonly RequestObserver[]
    /** Chooses requests that it wants to be told of when they are over; default: none. */
    follow?: FollowRequest | undefined
    /** Told of requests that failed by a fault of ours; default: nobody. */
    failed?: FailureObserver
    /** A private directory for the files of uploads under way. */
    tempDir: string
  }>

/** The Express app: middlewares, then routes, then the answer to every error. */
export function createApp(parts: AppParts): Express {
  const { settings, log, access, routes, content, admission, unsent, tempDir } = parts
  const { counts = () => undefined, observers = [] } = parts
  const caching = publicCaching(settings)
  const app = express()
  app.disable('x-powered-by')
  app.set('trust proxy', parseTrustedProxies(settings['http.trustProxy']) ?? false)
  // Handlers get the raw query string; the engine parses it within its own bounds.
  app.set('query parser', false)

  app.use(accessLog(log, parts.failed))
  const watched = watchRequests({
    observers,
    follow: parts.follow,
    serverTiming: settings['http.serverTiming'],
  })
  if (watched !== undefined) app.use(watched)
  app.use(securityHeaders())
  app.use(crossOrigin(settings['cors.origins']))
  app.use(checkTarget)
  const prefixed = apiPrefix(settings['api.rest.prefix'])
  if (prefixed !== undefined) app.use(prefixed)
  const limit = requestLimit(settings, counts, log)
  if (limit !== undefined) app.use(limit)
  mountRoutes(
    app,
    routes,
    content,
    createEndpointRunner({
      ...parts,
      readBody: createBodyReader(
        settings['http.bodyLimit'],
        createBodyBudget(settings['http.maxBodyMemory']),
      ),
      readMultipart: createMultipartReader(
        settings,
        tempDir,
        createUploadPlaces(settings, admission),
      ),
      attempts: createAttemptLimit(settings, counts, log),
      readTimeoutMs: settings['api.rest.queryTimeoutMs'],
      writeTimeoutMs: settings['api.rest.writeTimeoutMs'],
      clock: parts.clock ?? steadyNow,
      caching,
      compress: createCompress(settings['http.compression'], unsent),
    }),
    access.grantOf,
  )
  const { isServed = () => true } = parts
  // Who waits for a database until the time is over is not told to ask for less.
  const causeOf = (error: unknown): unknown =>
    isOverdue(error) && !isServed() ? unreachable() : error
  app.use(errorAnswers({ unsent, isCached: caching !== undefined, causeOf }))
  return app
}

type ErrorParts = Readonly<{
  unsent: Unsent
  isCached: boolean
  /** What to tell in the place of what was thrown. */
  causeOf: (thrown: unknown) => unknown
}>

/** Returns the causes of an error that clients are not told, outermost first. */
function* causesOf(error: ApiError, thrown: unknown): Generator<string> {
  for (let cause = error.cause ?? thrown; cause instanceof Error; { cause } = cause)
    if (!(cause instanceof ApiError)) yield `${cause.name}: ${cause.message}`
}

const errorAnswers =
  ({ unsent, isCached, causeOf }: ErrorParts): ErrorRequestHandler =>
  // Express tells error handlers by their four parameters.
  (thrown: unknown, request, response, _next) => {
    // The client is gone; nobody needs to know why its request did not end well.
    if (response.closed) return
    const error = toApiError(causeOf(thrown))
    const reply = errorReply(error)
    if (error.code === 'unavailable' || error.code === 'bad-gateway')
      response.refusal = [error.message, ...causesOf(error, thrown)].join(': ')
    else if (reply.status >= 500) response.err = toError(thrown)
    if (response.headersSent) {
      response.destroy()
      return
    }
    // Caches that are told how long to keep answers keep errors for as long as they please: what is not there may come.
    const isKeepable = isCached && (request.method === 'GET' || request.method === 'HEAD')
    if (isKeepable) response.setHeader('Cache-Control', 'no-store')
    void sendReply(response, reply, unsent)
  }
