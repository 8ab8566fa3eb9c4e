import { fail } from '../../engine/errors.js'
import type { ServingStep } from './serve-route.js'
import { linkEnd } from './signature.js'

/**
 * Returns the serving step that checks the signed link to a private file. Throws 403 if the link is invalid or expired,
 * whether or not the file exists (docs/internals/decisions.md, "Private files").
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

/**
 * Returns the `Cache-Control` of a private file. Only the client's own cache may store the file, until the link
 * expires.
 */
export function privateCacheControl(until: Date, now: Date): string {
  const left = Math.floor((until.getTime() - now.getTime()) / 1000)
  return `private, max-age=${Math.max(0, left)}`
}
