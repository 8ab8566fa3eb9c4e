import { randomBytes, randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Event, Exception, StackFrame, StackParser } from '@sentry/core'
import { packageRoot } from '../settings/own-command.js'
import type { ErrorReport, FailedRequest } from './error-report.js'
import { safeMessage } from './safe-message.js'

/**
 * Converts an unhandled error to a Sentry event.
 * @param tags `release`: `quire@0.1.0`; `environment`: `errors.environment`
 */
export function errorEvent(
  report: ErrorReport,
  tags: Readonly<{ release: string; environment: string }>,
  parse: StackParser,
): Event {
  const { request, isFatal = false } = report
  const errors = chainOf(report.error)
  const values = errors.map((error, index): Exception => ({
    type: error.name,
    value: index === 0 && report.message !== undefined ? report.message : safeMessage(error),
    stacktrace: { frames: parse(error.stack ?? '').map(withinProject) },
  }))
  const [first, ...causes] = values
  const outermost = { ...first, mechanism: { type: 'generic', handled: !isFatal } }
  return {
    event_id: randomUUID().replaceAll('-', ''),
    timestamp: Date.now() / 1000,
    platform: 'node',
    level: isFatal ? 'fatal' : 'error',
    server_name: hostname(),
    ...tags,
    ...(request && { transaction: `${request.method} ${request.route ?? '?'}` }),
    tags: { in: report.in, ...(request && tagsOf(request)) },
    ...(request?.traceId && {
      contexts: { trace: { trace_id: request.traceId, span_id: randomBytes(8).toString('hex') } },
    }),
    // Sentry expects the innermost cause first.
    exception: { values: [...causes.toReversed(), outermost] },
  }
}

const tagsOf = ({ id, method, route, type, status }: FailedRequest) => ({
  request_id: id,
  'http.request.method': method,
  'http.response.status_code': String(status),
  'http.route': route,
  content_type: type,
})

const maxCauses = 3

function chainOf(thrown: unknown): readonly Error[] {
  const errors: Error[] = []
  for (let next = thrown; next instanceof Error && errors.length <= maxCauses; next = next.cause)
    errors.push(next)
  return errors.length > 0 ? errors : [new Error(typeof thrown)]
}

/** Removes the installation path, which is private. */
function withinProject({ filename = '', ...frame }: StackFrame): StackFrame {
  const path = filename.startsWith('file://') ? fileURLToPath(filename) : filename
  const place = path.startsWith(packageRoot) ? path.slice(packageRoot.length) : basename(path)
  return { ...frame, filename: place }
}
