import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { fail } from '../../engine/errors.js'
import { reply, type Route } from '../http/route.js'
import { routesOf } from '../http/routes/routes-of.js'
import type { Metrics } from './create-metrics.js'

/**
 * Returns the route `GET /metrics` on the API's port. Callers need the token `metrics.token`, unless that setting is
 * empty.
 */
export const metricsRoutes = (metrics: Metrics, token: string): readonly Route[] =>
  routesOf(
    { guard: 'open', tag: 'Operation' },
    {
      'GET /metrics': {
        id: 'readMetrics',
        summary: 'Show metrics for Prometheus',
        answer: { mediaType: 'text/plain' },
        errors: [401],
        handle: async ({ headers }) => {
          if (token !== '' && !holdsToken(headers, token)) throw fail('unauthorized')
          const text = await metrics.text()
          return reply(200, Buffer.from(text), {
            'Content-Type': metrics.contentType,
            'Cache-Control': 'no-store',
          })
        },
      },
    },
  )

/** Compares hashes, so that the comparison takes equally long for every wrong token. */
function holdsToken({ authorization = '' }: IncomingHttpHeaders, token: string): boolean {
  const [, sent = ''] = /^bearer +(\S+)$/i.exec(authorization.trim()) ?? []
  return timingSafeEqual(hashOf(sent), hashOf(token))
}

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()
