import cors from 'cors'
import type { RequestHandler } from 'express'
import { fixedHeaders } from './fixed-headers.js'

/**
 * CORS for browsers of the configured origins (`cors.origins`; `*` = any, each answered by its own name).
 * A preflight ends here with 204; an OPTIONS that is none goes on to the routes.
 */
export function crossOrigin(origins: readonly string[]): RequestHandler {
  const options = {
    origin: origins.includes('*') ? true : [...origins],
    credentials: true,
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'],
    allowedHeaders,
    exposedHeaders,
    maxAge: 31_536_000,
  }
  const ending = cors({ ...options, preflightContinue: false })
  const passing = cors({ ...options, preflightContinue: true })
  const setWithoutOrigin = fixedHeaders(passing)
  return (request, response, next) => {
    // Whoever is no browser sends none.
    if (request.headers.origin === undefined && request.method !== 'OPTIONS') {
      setWithoutOrigin(response)
      return next()
    }
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
]

const exposedHeaders = ['ETag', 'Idempotent-Replayed', 'Retry-After', 'X-Request-Id']
