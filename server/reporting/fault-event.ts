import { randomBytes, randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Event, Exception, StackFrame, StackParser } from '@sentry/core'
import type { Fault, FaultyRequest } from './fault.js'
import { toldMessage } from './told-message.js'

/**
 * Converts an unhandled error to an event of Sentry. Pure except for the time, ids and the machine's name.
 * @param told `release`: `quire@0.1.0`; `environment`: `errors.environment`
 */
export function faultEvent(
  fault: Fault,
  told: Readonly<{ release: string; environment: string }>,
  parse: StackParser,
): Event {
  const { request, isFatal = false } = fault
  const errors = chainOf(fault.error)
  const values = errors.map((error, index): Exception => ({
    type: error.name,
    value: index === 0 && fault.says !== undefined ? fault.says : toldMessage(error),
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
    ...told,
    ...(request && { transaction: `${request.method} ${request.route ?? '?'}` }),
    tags: { in: fault.in, ...(request && tagsOf(request)) },
    ...(request?.traceId && {
      contexts: { trace: { trace_id: request.traceId, span_id: randomBytes(8).toString('hex') } },
    }),
    // Causes come first.
    exception: { values: [...causes.toReversed(), outermost] },
  }
}

const tagsOf = ({ id, method, route, type, status }: FaultyRequest) => ({
  request_id: id,
  'http.request.method': method,
  'http.response.status_code': String(status),
  'http.route': route,
  content_type: type,
})

const maxCauses = 3

/** Returns an error and its causes. */
function chainOf(thrown: unknown): readonly Error[] {
  const errors: Error[] = []
  for (let next = thrown; next instanceof Error && errors.length <= maxCauses; next = next.cause)
    errors.push(next)
  return errors.length > 0 ? errors : [new Error(typeof thrown)]
}

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Removes the installation path of the program, which is private. */
function withinProject({ filename = '', ...frame }: StackFrame): StackFrame {
  const path = filename.startsWith('file://') ? fileURLToPath(filename) : filename
  const place = path.startsWith(root) ? path.slice(root.length) : basename(path)
  return { ...frame, filename: place }
}
