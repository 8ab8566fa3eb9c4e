import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express'
import helmet from 'helmet'
import type { Logger } from 'pino'
import type { Admission } from '../../workers/admission.js'
import { isOverdue, unreachable } from '../../engine/errors/database-errors.js'
import { ApiError } from '../../engine/errors.js'
import { monotonicNow, type Clock } from '../../engine/monotonic-now.js'
import { accessLog, type FailureObserver } from '../http/observe/access-log.js'
import { createBodyReader, toError } from '../http/request/body.js'
import { createBodyBudget } from '../http/request/body-budget.js'
import { apiPrefix, checkTarget } from '../http/request/target.js'
import { crossOrigin } from '../http/response/cross-origin.js'
import type { EndpointParts } from '../http/routes/answer-request.js'
import { errorReply, toApiError } from '../http/response/error-reply.js'
import { createMultipartReader } from '../http/request/multipart.js'
import { createAttemptLimit, requestLimit, type SharedCounts } from '../http/routes/rate-limit.js'
import type { Route } from '../http/route.js'
import { publicCaching } from '../http/response/conditional-reply.js'
import { mountRoutes, type Dispatcher } from '../http/routes/routing.js'
import { sendReply } from '../http/response/send-reply.js'
import { parseTrustedProxies } from '../settings/trust-proxy.js'
import { createCompress } from '../http/response/compress.js'
import type { OutputBuffers } from '../http/response/output-buffers.js'
import {
  watchRequests,
  type FollowRequest,
  type RequestObserver,
} from '../http/observe/watch-requests.js'
import { createUploadSlots } from '../http/request/upload-slots.js'
import type { Settings } from '../settings/settings.js'

export type AppParts = Pick<EndpointParts, 'access' | 'writes' | 'outputBuffers' | 'refusal'> &
  Readonly<{
    settings: Settings
    log: Logger
    routes: readonly Route[]
    content: Dispatcher
    /** Stores of counters that all instances share. By default, each instance counts for itself. */
    counts?: SharedCounts | undefined
    admission: Admission
    /** Whether the database currently has a server that accepts commands; default: always true. */
    isServed?: (() => boolean) | undefined
    /**
     * Clock for the time limits of reads. It may pause while no database server is available. Default: a clock that
     * never pauses.
     */
    clock?: Clock | undefined
    observers?: readonly RequestObserver[]
    follow?: FollowRequest | undefined
    failed?: FailureObserver
    tempDir: string
  }>

/** Creates the Express app: middlewares, then routes, then the error handler. */
export function createApp(parts: AppParts): Express {
  const { settings, log, routes, content, admission, outputBuffers, tempDir } = parts
  const { counts = () => undefined, observers = [] } = parts
  const caching = publicCaching(settings)
  const app = express()
  app.disable('x-powered-by')
  app.set('trust proxy', parseTrustedProxies(settings['http.trustProxy']) ?? false)
  // The engine parses the query string itself, with its own limits.
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
  mountRoutes(app, routes, content, {
    ...parts,
    readBody: createBodyReader(
      settings['http.bodyLimit'],
      createBodyBudget(settings['http.maxBodyMemory']),
    ),
    readMultipart: createMultipartReader(settings, tempDir, createUploadSlots(settings, admission)),
    attempts: createAttemptLimit(settings, counts, log),
    readTimeoutMs: settings['api.rest.queryTimeoutMs'],
    writeTimeoutMs: settings['api.rest.writeTimeoutMs'],
    clock: parts.clock ?? monotonicNow,
    caching,
    compress: createCompress(settings['http.compression'], outputBuffers),
  })
  const { isServed = () => true } = parts
  // If a request times out while no database server is available, reply with a 503. The usual error would advise the
  // client to request less.
  const causeOf = (error: unknown): unknown =>
    isOverdue(error) && !isServed() ? unreachable() : error
  app.use(errorAnswers({ outputBuffers, isCached: caching !== undefined, causeOf }))
  return app
}

/** Sets security headers for an API. Browsers must not execute responses, show them in frames, or guess their type. */
const securityHeaders = (): RequestHandler =>
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    // Let pages from other origins show uploaded media.
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
  })

type ErrorParts = Readonly<{
  outputBuffers: OutputBuffers
  isCached: boolean
  causeOf: (thrown: unknown) => unknown
}>

/** Yields the messages of an error's causes that clients do not see, beginning with the outermost. */
function* causesOf(error: ApiError, thrown: unknown): Generator<string> {
  for (let cause = error.cause ?? thrown; cause instanceof Error; { cause } = cause)
    if (!(cause instanceof ApiError)) yield `${cause.name}: ${cause.message}`
}

const errorAnswers =
  ({ outputBuffers, isCached, causeOf }: ErrorParts): ErrorRequestHandler =>
  // Express recognizes error handlers by their four parameters.
  (thrown: unknown, request, response, _next) => {
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
    // A shared cache with a lifetime of its own might store this error, but what is a 404 now may exist later.
    const isKeepable = isCached && (request.method === 'GET' || request.method === 'HEAD')
    if (isKeepable) response.setHeader('Cache-Control', 'no-store')
    void sendReply(response, reply, outputBuffers)
  }
