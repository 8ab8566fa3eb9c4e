import type { CustomFetch } from 'openid-client'
import { isObject } from '../../../engine/values/is-object.js'

/**
 * Returns a `fetch` that makes token responses conform to RFC 6749. Some providers omit `token_type`, send
 * `scope` as a list, or send an error with status 200.
 */
export const tidyTokens =
  (fetch: CustomFetch, tokenUrl: string | undefined): CustomFetch =>
  async (url, options) => {
    const response = await fetch(url, options)
    if (url !== tokenUrl || response.status !== 200) return response
    const body: unknown = await response
      .clone()
      .json()
      .catch(() => undefined)
    if (!isObject(body)) return response
    const { headers } = response
    if (typeof body.error === 'string') return Response.json(body, { status: 400, headers })
    const { token_type: type = 'bearer', scope } = body
    const tidy = {
      ...body,
      token_type: type,
      scope: Array.isArray(scope) ? scope.join(' ') : scope,
    }
    return Response.json(tidy, { status: 200 })
  }
