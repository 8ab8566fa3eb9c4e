import { fail } from '../../../engine/errors.js'
import type { Answer } from '../../content/documents.js'
import type { HttpRequest, Reply } from '../route.js'

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
