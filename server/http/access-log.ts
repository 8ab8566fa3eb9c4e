import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { pinoHttp, type HttpLogger } from 'pino-http'
import { requestId } from './request-id.js'

/**
 * One line per request: method, path, status, time. No headers and no query string, which may hold
 * credentials (reset and confirmation codes). An error that the client is not told about is in it, with its stack.
 */
export function accessLog(log: Logger): HttpLogger {
  return pinoHttp({
    logger: log,
    genReqId: requestId,
    quietReqLogger: true,
    autoLogging: { ignore: (request) => request.url === '/_health' },
    customLogLevel: (_request, response) => (response.statusCode >= 500 ? 'error' : 'info'),
    customSuccessMessage: describe,
    customErrorMessage: describe,
    serializers: {
      req: (request: { method: string; url: string; remoteAddress?: string }) => ({
        method: request.method,
        path: pathOf(request.url),
        address: request.remoteAddress,
      }),
      res: (response: { statusCode: number }) => ({ status: response.statusCode }),
    },
  })
}

const pathOf = (url: string | undefined): string => (url ?? '').split('?', 1)[0] ?? ''

/** Express takes the path of a mount from `url` and leaves `originalUrl` as it came. */
function describe(request: IncomingMessage, response: ServerResponse): string {
  const { originalUrl = request.url } = request as { originalUrl?: string; url?: string }
  return `${request.method ?? ''} ${pathOf(originalUrl)} ${response.statusCode}`
}
