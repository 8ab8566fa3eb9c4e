import { hash } from 'node:crypto'
import type { HttpRequest, Reply, HeaderTexts } from '../route.js'
import type { PublicCaching } from './public-caching.js'
import { bytesOf } from './send-reply.js'

/**
 * Adds an `ETag` and caching headers to a successful GET of `/api` (docs/internals/decisions.md, "Tags and caching").
 * If the reply has no tag of its own, the tag is a hash of its bytes. Returns a 304 if the client's `If-None-Match`
 * contains the tag.
 * @param caching how responses without credentials are cached publicly; undefined if they are not
 */
export function conditionalReply(
  { method, path, headers }: Pick<HttpRequest, 'method' | 'path' | 'headers'>,
  reply: Reply,
  caching: PublicCaching | undefined,
): Reply {
  if (method !== 'GET' || reply.status !== 200 || reply.body === undefined) return reply
  // The `i` flag, because Express ignores the case of paths too.
  if (!/^\/api\//i.test(path)) return reply
  const bytes = bytesOf(reply.body)
  const tag = reply.headers?.ETag ?? `"${hash('sha1', bytes, 'base64url')}"`
  const cache = {
    ETag: tag,
    ...cacheControl(headers, reply, caching),
    Vary: 'Authorization, Strapi-Response-Format',
  }
  return (
    unlessHeld({ headers }, tag, cache) ?? {
      status: 200,
      headers: { ...reply.headers, ...cache },
      body: bytes,
    }
  )
}

/** Returns the caching headers. With an `Authorization` header, even an invalid one, the response is private. */
function cacheControl(
  { authorization }: HttpRequest['headers'],
  { cachePolicy }: Reply,
  caching: PublicCaching | undefined,
): HeaderTexts {
  if (caching === undefined || cachePolicy === undefined || authorization !== undefined)
    return { 'Cache-Control': 'private, no-cache' }
  const keys = cachePolicy.keys && { [caching.keyHeader]: cachePolicy.keys }
  return { 'Cache-Control': caching.control, ...keys }
}

/**
 * Returns a 304 if `If-None-Match` contains the tag, otherwise undefined (RFC 9110, 13.1.2). Weak and strong tags count
 * as equal.
 */
export function unlessHeld(
  { headers }: Pick<HttpRequest, 'headers'>,
  tag: string,
  caching: HeaderTexts,
): Reply | undefined {
  const held = headers['if-none-match'] ?? ''
  const tags = held.split(',').map((member) => member.trim().replace(/^W\//, ''))
  return tags.includes('*') || tags.includes(tag) ? { status: 304, headers: caching } : undefined
}
