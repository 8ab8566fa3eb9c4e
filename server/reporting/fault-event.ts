import { randomBytes, randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Event, Exception, StackFrame, StackParser } from '@sentry/core'
import type { Fault, FaultyRequest } from './fault.js'
import { toldMessage } from './told-message.js'

export type Told = Readonly<{
  /** `quire@0.1.0` */
  release: string
  /** `errors.environment` */
  environment: string
}>

/** A fault as an event of Sentry. Pure but for the time, ids and the name of the machine. */
export function faultEvent(fault: Fault, told: Told, parse: StackParser): Event {
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
    ...(request === undefined ? {} : { transaction: `${request.method} ${request.route ?? '?'}` }),
    tags: { in: fault.in, ...(request === undefined ? {} : tagsOf(request)) },
    ...(request?.traceId === undefined ? {} : { contexts: { trace: traceOf(request.traceId) } }),
    // What it is caused by comes first.
    exception: { values: [...causes.toReversed(), outermost] },
  }
}

function tagsOf({ id, method, route, type, status }: FaultyRequest): Record<string, string> {
  return {
    request_id: id,
    'http.request.method': method,
    'http.response.status_code': String(status),
    ...(route === undefined ? {} : { 'http.route': route }),
    ...(type === undefined ? {} : { content_type: type }),
  }
}

const traceOf = (id: string) => ({ trace_id: id, span_id: randomBytes(8).toString('hex') })

const maxCauses = 3

/** An error, and what it is caused by. */
function chainOf(thrown: unknown): readonly Error[] {
  const errors: Error[] = []
  for (let next = thrown; next instanceof Error && errors.length <= maxCauses; next = next.cause)
    errors.push(next)
  return errors.length > 0 ? errors : [new Error(typeof thrown)]
}

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Where the program lies on this machine is nobody's affair. */
function withinProject({ filename = '', ...frame }: StackFrame): StackFrame {
  const path = filename.startsWith('file://') ? fileURLToPath(filename) : filename
  const place = path.startsWith(root) ? path.slice(root.length) : basename(path)
  return { ...frame, filename: place }
}
