import cors, { type CorsOptions } from 'cors'
import type { RequestHandler } from 'express'

/**
 * Handles CORS (`cors.origins`). A listed origin is allowed to send credentials; `*` allows all other origins, but
 * without credentials (docs/internals/decisions.md, "CORS"). Only preflight requests end here; other OPTIONS requests
 * reach the routes.
 */
export function crossOrigin(origins: readonly string[]): RequestHandler {
  const names = origins.filter((origin) => origin !== '*')
  if (names.length === 0) return answering({ origin: '*' })
  const named = answering({ origin: names, credentials: true })
  if (names.length === origins.length) return named
  const any = answering({ origin: '*' })
  return (request, response, next) => {
    const isNamed = names.includes(request.headers.origin ?? '')
    // The response to a listed origin has other headers, so caches must distinguish by `Origin`.
    if (!isNamed) response.vary('Origin')
    return (isNamed ? named : any)(request, response, next)
  }
}

function answering(to: Pick<CorsOptions, 'origin' | 'credentials'>): RequestHandler {
  const options = {
    ...to,
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'],
    allowedHeaders,
    exposedHeaders,
    maxAge: 31_536_000,
  }
  const ending = cors(options)
  const passing = cors({ ...options, preflightContinue: true })
  return (request, response, next) => {
    const preflight = request.headers['access-control-request-method'] !== undefined
    return (preflight ? ending : passing)(request, response, next)
  }
}

const allowedHeaders = [
  'Content-Type',
  'Authorization',
  'Origin',
  'Accept',
  'If-Match',
  'If-None-Match',
  'Idempotency-Key',
  'Strapi-Response-Format',
  'X-Request-Id',
  // W3C Trace Context: lets a page connect its spans with the service's.
  'traceparent',
  'tracestate',
]

const exposedHeaders = [
  'ETag',
  'Idempotent-Replayed',
  'Quire-Ignored',
  'Retry-After',
  'X-Request-Id',
]
