import type { Reply } from '../http/route.js'
import { privateCacheControl, type FileAccess } from './file-access.js'
import type { ServedFile, ServingStep } from './serve-route.js'
import type { Providers, StorageProvider } from './storage-provider.js'

/** Stores sign for a week at most. */
const maxLinkMs = 604_800_000

/**
 * The last step of serving a private file: where the store that holds the content gives links itself, a 302 to one that
 * ends when the client's own does, and the content does not pass through here.
 */
export const serveByLink =
  (providers: Providers, accessTo: FileAccess, now: () => Date = () => new Date()): ServingStep =>
  async ({ name, search }, served) => {
    const until = accessTo(name, search)
    if (until === null || providers.all.every(({ link }) => link === undefined)) return served
    const store = await holderOf(providers, served.name)
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

function toldOf({ headers }: ServedFile) {
  const contentDisposition = headers['Content-Disposition']
  return {
    contentType: headers['Content-Type'] ?? 'application/octet-stream',
    ...(contentDisposition === undefined ? {} : { contentDisposition }),
  }
}

/** Undefined where none of those that answer has it: whoever looks next says what is wrong. */
async function holderOf({ all }: Providers, name: string): Promise<StorageProvider | undefined> {
  for (const provider of all) {
    try {
      if ((await provider.stat(name)) !== undefined) return provider
    } catch {
      continue
    }
  }
  return undefined
}
