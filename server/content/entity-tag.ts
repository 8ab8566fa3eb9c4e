import { fail } from '../../engine/errors.js'
import type { ReadAnswer } from '../../engine/read.js'
import type { HttpRequest, Reply } from '../http/route.js'

/** `"<revision>-<hash>"` for one document, `"<hash>"` for a list (D7). */
function entityTag({ revision, hash }: ReadAnswer): string {
  return revision === null ? `"${hash}"` : `"${revision}-${hash}"`
}

/** A GET's answer: 304 where the client has these bytes already, else the bytes and how to ask again (D7). */
export function cacheableReply(
  answer: ReadAnswer,
  { headers }: Pick<HttpRequest, 'headers'>,
): Reply {
  const tag = entityTag(answer)
  const cache = {
    ETag: tag,
    'Cache-Control': 'private, no-cache',
    Vary: 'Authorization, Strapi-Response-Format',
  }
  return holds(headers['if-none-match'], tag)
    ? { status: 304, headers: cache }
    : { status: 200, headers: cache, body: answer.bytes }
}

/** RFC 9110, 13.1.2: `*` or a list of tags, compared weakly. */
function holds(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  const tags = header.split(',').map((member) => member.trim().replace(/^W\//, ''))
  return tags.includes('*') || tags.includes(tag)
}

/**
 * The revision that `If-Match` names, undefined without the header (D24). Only the revision counts: the
 * hash depends on what the GET selected. A tag that no GET of one document gave matches nothing: 412.
 */
export function revisionOf({ headers }: Pick<HttpRequest, 'headers'>): number | undefined {
  const header = headers['if-match']
  if (header === undefined || header.trim() === '*') return undefined
  const revision = /^"(\d{1,15})-[\w-]*"$/.exec(header.trim())?.[1]
  if (revision === undefined) throw fail('precondition-failed')
  return Number(revision)
}
