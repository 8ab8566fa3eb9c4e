import type { RequestHandler } from 'express'
import { fail } from '../../../engine/errors.js'

/** Returns the query string of a request target exactly as it was sent, without `?`. */
export function searchOf(originalUrl: string): string {
  const mark = originalUrl.indexOf('?')
  return mark < 0 ? '' : originalUrl.slice(mark + 1)
}

/** Returns the path exactly as it was sent, without the query string, which may contain secrets. */
export function pathOf(url: string): string {
  const mark = url.indexOf('?')
  return mark < 0 ? url : url.slice(0, mark)
}

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

/**
 * Handles `/v1/articles` as `/api/articles` if `api.rest.prefix` is `/v1`; then `/api` returns 404. Returns undefined
 * if the prefix is `/api` anyway.
 */
export function apiPrefix(prefix: string): RequestHandler | undefined {
  if (prefix === own) return undefined
  return (request, _response, next) => {
    const rest = below(request.url, prefix)
    if (rest === undefined && below(request.url, own) !== undefined) throw fail('not-found', {})
    if (rest !== undefined) request.url = `${own}${rest}`
    next()
  }
}

const own = '/api'

/**
 * Returns the part of a target after a prefix, or undefined if the target does not begin with it. Ignores case, as
 * routes do.
 */
function below(target: string, prefix: string): string | undefined {
  if (target.slice(0, prefix.length).toLowerCase() !== prefix.toLowerCase()) return undefined
  const rest = target.slice(prefix.length)
  return rest === '' || rest.startsWith('/') || rest.startsWith('?') ? rest : undefined
}
