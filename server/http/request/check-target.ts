import type { RequestHandler } from 'express'
import { fail } from '../../../engine/errors.js'

/**
 * Rejects requests with an invalid target or Host header before any route handles them. Otherwise each route would fail
 * in its own way.
 */
export const checkTarget: RequestHandler = (request, _response, next) => {
  // Node does not check this itself, because the server has `requireHostHeader: false`. Node's own response would have
  // no error envelope.
  if (request.httpVersion === '1.1' && request.headers.host === undefined) {
    throw refusal('Missing Host header')
  }
  // Given several Host headers, Node uses the first one, but a proxy may have used another one (RFC 9112, 3.2).
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

/**
 * Matches a valid Host header: a name, an IPv4 address, or an IPv6 address in brackets, each with an optional port (RFC
 * 3986, 3.2.2). An empty header is valid too.
 */
const hostRule = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i

/** Counts Host headers. In `rawHeaders`, names are at even indexes, each followed by its value. */
const countHosts = (rawHeaders: readonly string[]): number =>
  rawHeaders.filter((name, at) => at % 2 === 0 && /^host$/i.test(name)).length

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    throw refusal('failed to decode')
  }
}
