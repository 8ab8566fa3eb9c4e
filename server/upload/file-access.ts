import { fail } from '../../engine/errors.js'
import type { ServingStep } from './serve-route.js'
import { linkEnd } from './signature.js'

/**
 * Returns the step that serves a private file to holders of a link, until the link expires. Throws 403 if the link is
 * invalid or expired, even if there is no such file (docs/decisions.md, "Private files").
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

/** Returns the `Cache-Control` of a private file: only the client's cache may store it, until the link expires. */
export function privateCacheControl(until: Date, now: Date): string {
  const left = Math.floor((until.getTime() - now.getTime()) / 1000)
  return `private, max-age=${Math.max(0, left)}`
}
