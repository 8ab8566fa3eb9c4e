import { fail } from '../../engine/errors.js'
import type { Settings } from '../settings/settings.js'
import type { ServingStep } from './serve-route.js'
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

/** The step that serves a private file to whoever has a link to it, and for as long as the link is worth something. */
export const serveAllowed =
  (accessTo: FileAccess): ServingStep =>
  ({ name, search }, served) => {
    const until = accessTo(name, search)
    if (until === null) return served
    const headers = { ...served.headers, 'Cache-Control': privateCacheControl(until) }
    return { ...served, headers }
  }

/** How long caches may keep what is served until then: the client's own, and no longer than the link. */
export function privateCacheControl(until: Date, now: Date = new Date()): string {
  const left = Math.floor((until.getTime() - now.getTime()) / 1000)
  return `private, max-age=${Math.max(0, left)}`
}
