import type { RequestHandler } from 'express'
import { fail } from '../../engine/errors.js'

/**
 * Lets `/api` be called by another name, the setting `api.rest.prefix`: `/v1/articles` is `/api/articles`, which
 * itself is nothing any more. Undefined for `/api`, which needs nothing.
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

/** What follows a prefix in a target, in any case, as routes are; undefined where it is not below it. */
function below(target: string, prefix: string): string | undefined {
  if (target.slice(0, prefix.length).toLowerCase() !== prefix.toLowerCase()) return undefined
  const rest = target.slice(prefix.length)
  return rest === '' || rest.startsWith('/') || rest.startsWith('?') ? rest : undefined
}
