import { hash } from 'node:crypto'
import type { HttpRequest, Reply, HeaderTexts } from '../route.js'
import type { PublicCaching } from './public-caching.js'
import { bytesOf } from './send-reply.js'

/**
 * Adds an `ETag` and caching headers to a successful GET of `/api` (docs/decisions.md, "Tags and caching"). Returns 304
 * if the client has these bytes already. Keeps the tag of a reply that has one, else hashes the bytes. Returns other
 * replies unchanged.
 * @param caching public caching of responses without credentials; undefined = none
 */
export function conditionalReply(
  { method, path, headers }: Pick<HttpRequest, 'method' | 'path' | 'headers'>,
  reply: Reply,
  caching: PublicCaching | undefined,
): Reply {
  if (method !== 'GET' || reply.status !== 200 || reply.body === undefined) return reply
  // Express matches routes in any case.
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

/** A response to a request with any `Authorization` header is private. */
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
 * Returns a 304 if the client has this tag already (RFC 9110, 13.1.2). The header is `*` or a list of tags, which are
 * compared weakly.
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
