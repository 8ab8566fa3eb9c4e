import type { RequestHandler } from 'express'
import { fail } from '../../../engine/errors.js'

/** Rejects requests with an invalid target or Host header, which routes would each handle differently. */
export const checkTarget: RequestHandler = (request, _response, next) => {
  // Node's own check is off (`requireHostHeader: false`), because its response has no error envelope.
  if (request.httpVersion === '1.1' && request.headers.host === undefined) {
    throw refusal('Missing Host header')
  }
  // Node uses the first of several Host headers, but a proxy may have used another one (RFC 9112, 3.2).
  if (countHosts(request.rawHeaders) > 1) {
    throw refusal('More than one Host header')
  }
  if (!hostRule.test(request.headers.host ?? '')) {
    throw refusal('Invalid Host header')
  }
  if (request.path.includes('%') && decode(request.path).includes('\0')) {
    throw refusal('Malicious Path')
  }
  next()
}

const refusal = (message: string): Error => fail('bad-request', message)

/** A valid Host header (RFC 3986, 3.2.2): empty, or a name or IP address with an optional port. */
const hostRule = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i

/** In `rawHeaders`, names and values alternate. */
const countHosts = (rawHeaders: readonly string[]): number =>
  rawHeaders.filter((name, at) => at % 2 === 0 && /^host$/i.test(name)).length

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    throw refusal('failed to decode')
  }
}
