import type { RequestHandler } from 'express'
import { fail } from '../../../engine/errors.js'

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
