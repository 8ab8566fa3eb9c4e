import { privateCacheControl } from './file-access.js'
import { findHolder } from './find-holder.js'
import type { ServingStep } from './serve-route.js'
import type { Providers } from './storage-provider.js'

/** Stores sign for a week at most. */
const maxLinkMs = 604_800_000

/**
 * The last step of serving a private file: where the store that holds the content gives links itself, a 302 to one that
 * ends when the client's own does, and the content does not pass through here. A HEAD is answered here.
 */
export const serveByLink =
  (providers: Providers, now: () => Date = () => new Date()): ServingStep =>
  async ({ isHead }, served) => {
    const { until, headers } = served
    // A link is signed for GET alone.
    if (isHead || until === undefined) return served
    if (providers.all.every(({ link }) => link === undefined)) return served
    const store = (await findHolder(providers, served.name))?.provider
    if (store?.link === undefined) return served
    const from = now()
    const end = new Date(Math.min(until.getTime(), from.getTime() + maxLinkMs))
    const told = {
      contentType: headers['Content-Type'] ?? 'application/octet-stream',
      contentDisposition: headers['Content-Disposition'],
    }
    const Location = await store.link(served.name, told, end)
    const cacheControl = privateCacheControl(end, from)
    return { status: 302, headers: { Location, 'Cache-Control': cacheControl } }
  }
