import type { ReadTarget } from '../../engine/read.js'
import { allows, type Grant } from '../../engine/schema/grant.js'
import { fileNameIn, linkExpiry } from '../../engine/values/link-signature.js'
import type { WriteContext } from '../../engine/write.js'
import type { Settings } from '../settings/settings.js'
import { uploadsPath } from './serve.js'
import { linkEnd } from './signature.js'
import type { Providers } from './storage-provider.js'

type PrivateFiles = NonNullable<WriteContext['privateFiles']>

/** Returns how private files are shown and written (`upload.private`); undefined if files are public. */
export function openPrivateFiles(
  settings: Settings,
  key: string,
  providers: Providers,
  now: () => number = Date.now,
) {
  if (!settings['upload.private']) return undefined
  const path = `${uploadsPath}/`
  // Stored addresses can lead directly to a store, which does not serve private files.
  const prefixes = [...new Set([path, ...providers.all.map(({ url }) => url(''))])]
  const files: PrivateFiles = {
    nameIn: (address) => fileNameIn(address, prefixes),
    isRight: (name, search) => linkEnd(key, name, search, new Date(now())) instanceof Date,
  }
  return {
    /**
     * Returns the parameters with which responses show the addresses of files as signed links. Links created in the
     * same window expire together (docs/decisions.md, "Private files").
     */
    links: (): NonNullable<ReadTarget['links']> => {
      const expires = linkExpiry(now(), settings['upload.linkExpiresInS'])
      return { key, path, prefixes, expires }
    },
    /** Returns the check of file addresses in a caller's write; undefined if the caller may read all files anyway. */
    filesOf: (grant: Grant): PrivateFiles | undefined =>
      ['find', 'findOne'].some((verb) => allows(grant, 'plugin::upload.content-api', verb))
        ? undefined
        : files,
  }
}
