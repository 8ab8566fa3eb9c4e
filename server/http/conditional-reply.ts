import { hash } from 'node:crypto'
import type { HttpRequest, Reply, HeaderTexts } from './route.js'
import type { PublicCaching } from './public-caching.js'
import { bytesOf } from './send-reply.js'

/**
 * What a successful GET of `/api` answers, with its `ETag` and how to ask again (docs/decisions.md, "Tags and
 * caching"): 304 where the client has these bytes already. A reply that knows its tag keeps it; for any other
 * the bytes are the tag. Other replies are left as they are.
 * @param caching how anybody may keep what is answered without credentials; undefined = not
 */
export function conditionalReply(
  { method, path, headers }: Pick<HttpRequest, 'method' | 'path' | 'headers'>,
  reply: Reply,
  caching: PublicCaching | undefined,
): Reply {
  if (method !== 'GET' || reply.status !== 200 || reply.body === undefined) return reply
  // Express finds routes in any case.
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

/** What comes with an `Authorization`, in whatever scheme, is its sender's alone. */
function cacheControl(
  { authorization }: HttpRequest['headers'],
  { kept }: Reply,
  caching: PublicCaching | undefined,
): HeaderTexts {
  if (caching === undefined || kept === undefined || authorization !== undefined)
    return { 'Cache-Control': 'private, no-cache' }
  const keys = kept.keys && { [caching.keyHeader]: kept.keys }
  return { 'Cache-Control': caching.control, ...keys }
}

/** A 304 where the client has this already (RFC 9110, 13.1.2): `*` or a list of tags, compared weakly. */
export function unlessHeld(
  { headers }: Pick<HttpRequest, 'headers'>,
  tag: string,
  caching: HeaderTexts,
): Reply | undefined {
  const held = headers['if-none-match'] ?? ''
  const tags = held.split(',').map((member) => member.trim().replace(/^W\//, ''))
  return tags.includes('*') || tags.includes(tag) ? { status: 304, headers: caching } : undefined
}
