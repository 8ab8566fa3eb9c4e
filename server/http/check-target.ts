import type { RequestHandler } from 'express'
import { fail } from '../../engine/errors.js'

/** Refuses requests whose target cannot be read, before any route looks at it: each would fail in its own way. */
export const checkTarget: RequestHandler = (request, _response, next) => {
  // The server is started with `requireHostHeader: false`, because Node's own answer has no envelope.
  if (request.httpVersion === '1.1' && request.headers.host === undefined) {
    throw fail('bad-request', { message: 'Missing Host header' })
  }
  if (request.path.includes('%') && decode(request.path).includes('\0')) {
    throw fail('bad-request', { message: 'Malicious Path' })
  }
  next()
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    throw fail('bad-request', { message: 'failed to decode' })
  }
}
