import { fail } from '../../engine/errors.js'
import type { ServingStep } from './serve-route.js'
import { linkEnd } from './signature.js'

/**
 * Returns the serving step that checks signed links (docs/internals/decisions.md, "Private files"). Throws 403 for an
 * invalid or expired link, whether or not the file exists.
 */
export const serveAllowed =
  (key: string, now: () => Date = () => new Date()): ServingStep =>
  ({ name, search }, served) => {
    const until = linkEnd(key, name, search, now())
    // A link without an expiry was not signed for a private file.
    if (!until) throw fail('forbidden')
    const headers = { ...served.headers, 'Cache-Control': privateCacheControl(until, now()) }
    return { ...served, headers, until }
  }

/** Only the client's own cache may store a private file, until the link expires. */
export function privateCacheControl(until: Date, now: Date): string {
  const left = Math.floor((until.getTime() - now.getTime()) / 1000)
  return `private, max-age=${Math.max(0, left)}`
}
