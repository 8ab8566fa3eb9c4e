import type { Reply } from '../http/route.js'
import { privateCacheControl, type FileAccess } from './file-access.js'
import { findHolder } from './find-holder.js'
import type { ServedFile, ServingStep } from './serve-route.js'
import type { Providers } from './storage-provider.js'

/** Stores sign for a week at most. */
const maxLinkMs = 604_800_000

/**
 * The last step of serving a private file: where the store that holds the content gives links itself, a 302 to one that
 * ends when the client's own does, and the content does not pass through here. A HEAD is answered here.
 */
export const serveByLink =
  (providers: Providers, accessTo: FileAccess, now: () => Date = () => new Date()): ServingStep =>
  async ({ name, search, isHead }, served) => {
    const until = accessTo(name, search)
    // A link is signed for GET alone.
    if (isHead) return served
    if (until === null || providers.all.every(({ link }) => link === undefined)) return served
    const store = (await findHolder(providers, served.name))?.provider
    if (store?.link === undefined) return served
    const from = now()
    const end = new Date(Math.min(until.getTime(), from.getTime() + maxLinkMs))
    const Location = await store.link(served.name, toldOf(served), end)
    return redirect(Location, privateCacheControl(end, from))
  }

const redirect = (location: string, cacheControl: string): Reply => ({
  status: 302,
  headers: { Location: location, 'Cache-Control': cacheControl },
})

const toldOf = ({ headers }: ServedFile) => ({
  contentType: headers['Content-Type'] ?? 'application/octet-stream',
  contentDisposition: headers['Content-Disposition'],
})
