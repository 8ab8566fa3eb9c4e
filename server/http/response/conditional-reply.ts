import { hash } from 'node:crypto'
import { fail } from '../../../engine/errors.js'
import type { Answer } from '../../content/documents.js'
import type { Settings } from '../../settings/settings.js'
import type { HttpRequest, Reply, HeaderTexts } from '../route.js'
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

/**
 * Returns the reply to a GET, with the tag `"<revision>-<hash>"` for one document or `"<hash>"` for a list
 * (docs/internals/decisions.md, "Tags and caching").
 */
export function taggedReply({ revision, hash, bytes, cachePolicy }: Answer): Reply {
  const tag = revision === null ? `"${hash}"` : `"${revision}-${hash}"`
  return { status: 200, headers: { ETag: tag }, body: bytes, cachePolicy }
}

/**
 * Returns the revision in `If-Match`; undefined if the header is absent or `*` (docs/internals/decisions.md,
 * "Conditional writes"). Ignores the tag's hash, and the weak mark `W/`, which proxies add. Throws 412 for a tag that
 * no GET of one document returns.
 */
export function revisionOf({ headers }: HttpRequest): number | undefined {
  const header = headers['if-match']
  if (header === undefined || header.trim() === '*') return undefined
  const revision = /^(?:W\/)?"(\d{1,15})-[\w-]*"$/.exec(header.trim())?.[1]
  if (revision === undefined) throw fail('precondition-failed')
  return Number(revision)
}

/** Settings for public caching of responses without credentials. */
export type PublicCaching = Readonly<{
  control: string
  keyHeader: string
}>

/** Returns the settings for public caching; undefined if responses must not be cached publicly. */
export function publicCaching(settings: Settings): PublicCaching | undefined {
  // A cached response must expire before the signed links in it do.
  const most = settings['upload.private'] ? settings['upload.linkExpiresInS'] : Infinity
  const own = Math.min(settings['http.cache.public'], most)
  const shared = Math.min(settings['http.cache.shared'], most)
  const stale = Math.min(settings['http.cache.staleWhileRevalidate'], most - Math.max(own, shared))
  if (own === 0 && shared === 0) return undefined
  const control = [
    'public',
    `max-age=${own}`,
    ...(shared === 0 ? [] : [`s-maxage=${shared}`]),
    ...(stale === 0 ? [] : [`stale-while-revalidate=${stale}`]),
  ].join(', ')
  return { control, keyHeader: settings['http.cache.keyHeader'] }
}
