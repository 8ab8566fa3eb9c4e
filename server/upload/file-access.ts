import { fail } from '../../engine/errors.js'
import type { Settings } from '../settings/settings.js'
import { checkLink } from './signature.js'

/**
 * What a request for the content of the file `name` with the query string `search` is allowed: until when, where files
 * are private; null where they are for everybody. Throws 403 for a link that is not right or has ended, also where
 * there is no such file (docs/decisions.md, "Private files").
 */
export type FileAccess = (name: string, search: string) => Date | null

export function createFileAccess(
  settings: Settings,
  key: string,
  now: () => Date = () => new Date(),
): FileAccess {
  if (!settings['upload.private']) return () => null
  return (name, search) => {
    const link = checkLink(key, name, search, now())
    // One that never ends was not signed for a private file.
    if (link.is !== 'right' || link.expiresAt === null) throw fail('forbidden')
    return link.expiresAt
  }
}

/** How long caches may keep what is served until then: the client's own, and no longer than the link. */
export function privateCacheControl(until: Date, now: Date = new Date()): string {
  const left = Math.floor((until.getTime() - now.getTime()) / 1000)
  return `private, max-age=${Math.max(0, left)}`
}
