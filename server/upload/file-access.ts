import { fail } from '../../engine/errors.js'
import type { ServingStep } from './serve-route.js'
import { linkEnd } from './signature.js'

/**
 * The step that serves a private file to whoever has a link to it, and for as long as the link is worth something. Throws
 * 403 for a link that is not right or has ended, also where there is no such file (docs/decisions.md, "Private files").
 */
export const serveAllowed =
  (key: string, now: () => Date = () => new Date()): ServingStep =>
  ({ name, search }, served) => {
    const until = linkEnd(key, name, search, now())
    // One that never ends was not signed for a private file.
    if (!until) throw fail('forbidden')
    const headers = { ...served.headers, 'Cache-Control': privateCacheControl(until, now()) }
    return { ...served, headers, until }
  }

/** How long caches may keep what is served until then: the client's own, and no longer than the link. */
export function privateCacheControl(until: Date, now: Date): string {
  const left = Math.floor((until.getTime() - now.getTime()) / 1000)
  return `private, max-age=${Math.max(0, left)}`
}
