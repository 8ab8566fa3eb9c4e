import { createServer, type Server, type ServerResponse } from 'node:http'
import { listen } from '../http/connections/listen.js'
import type { Config } from '../settings/config.js'
import type { Metrics } from './create-metrics.js'

/** Returns the address of the separate metrics server, if there is one. */
export function metricsAddress({ settings, host }: Pick<Config, 'settings' | 'host'>) {
  const port = settings['metrics.port']
  if (!settings['metrics.enabled'] || port === 0) return undefined
  return { port, host: settings['metrics.host'] || host }
}

/** Environment variables that the errors of `listen` name instead of `PORT` and `HOST`. */
export const metricsVariables = { PORT: 'METRICS_PORT', HOST: 'METRICS_HOST' } as const

/**
 * Starts a separate server for `GET /metrics` and nothing else.
 * @throws the errors of `listen`
 */
export async function serveMetrics(
  metrics: Metrics,
  { port, host }: Readonly<{ port: number; host: string }>,
): Promise<Server> {
  const server = createServer(
    { headersTimeout: 5_000, requestTimeout: 5_000, keepAliveTimeout: 65_000 },
    (request, response) => {
      const [path] = (request.url ?? '').split('?', 1)
      if (path !== '/metrics') return end(response, 404)
      if (request.method !== 'GET' && request.method !== 'HEAD') return end(response, 405)
      metrics.text().then(
        (text) => end(response, 200, text, metrics.contentType),
        () => end(response, 500),
      )
    },
  )
  server.maxConnections = maxConnections
  await listen(server, port, host, metricsVariables)
  return server
}

/** A scraper needs only one or two connections. */
const maxConnections = 50

function end(response: ServerResponse, status: number, text = '', type = 'text/plain'): void {
  if (status === 405) response.setHeader('Allow', 'HEAD, GET')
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
  })
  response.end(text)
}

/** Closes the server after requests in progress have finished. */
export function closeMetrics(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })
}
