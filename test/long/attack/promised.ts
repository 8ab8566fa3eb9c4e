import type { IncomingHttpHeaders } from 'node:http'
import type { Call } from './orders.js'

export type Received = Readonly<{
  status: number
  headers: IncomingHttpHeaders
  length: number
  body: string
}>

/** Limits that the error message for an expensive read may name. */
const bounds = /api\.rest\.(maxCost|queryTimeoutMs|maxAnswerBytes|maxPopulatedEntries)/

/** Describes what is wrong with a response, or returns undefined if it is allowed under load. */
export function readFault(
  { status, headers, length, body }: Received,
  { refused }: Call,
): string | undefined {
  const declared = headers['content-length']
  if (declared !== undefined && Number(declared) !== length)
    return `${status} with ${length} bytes of ${declared}`
  if (status === 503)
    return headers['retry-after'] === undefined
      ? `503 without Retry-After: ${start(body)}`
      : undefined
  if (Array.isArray(refused)) {
    if (refused.includes(status)) return undefined
  } else if (status === 400) {
    if (refused === 'always' || (refused === 'by a bound' && bounds.test(body))) return undefined
  } else if ((status === 200 || status === 204) && refused !== 'always') return undefined
  return `${status}: ${start(body)}`
}

const start = (body: string): string => body.slice(0, 300)
