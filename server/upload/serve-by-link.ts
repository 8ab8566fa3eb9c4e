import { privateCacheControl } from './file-access.js'
import { findProviderOf } from './find-provider.js'
import type { ServingStep } from './serve-route.js'
import type { Providers } from './storage-provider.js'

/** A week: the maximum validity of a link that a store signs. */
const maxLinkMs = 604_800_000

/**
 * Redirects (302) to a link that the file's store creates, so that the content does not pass through Quire. The store's
 * link expires together with the client's link. Not for HEAD requests.
 */
export const serveByLink =
  (providers: Providers, now: () => Date = () => new Date()): ServingStep =>
  async ({ isHead }, served) => {
    const { until, headers } = served
    // The store's links are valid for GET only.
    if (isHead || until === undefined) return served
    if (providers.all.every(({ link }) => link === undefined)) return served
    const store = (await findProviderOf(providers, served.name))?.provider
    if (store?.link === undefined) return served
    const from = now()
    const end = new Date(Math.min(until.getTime(), from.getTime() + maxLinkMs))
    const linkHeaders = {
      contentType: headers['Content-Type'] ?? 'application/octet-stream',
      contentDisposition: headers['Content-Disposition'],
    }
    const Location = await store.link(served.name, linkHeaders, end)
    const cacheControl = privateCacheControl(end, from)
    return { status: 302, headers: { Location, 'Cache-Control': cacheControl } }
  }
