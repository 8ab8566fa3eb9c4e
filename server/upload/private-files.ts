import type { ReadTarget } from '../../engine/read.js'
import { allows, type Grant } from '../../engine/schema/grant.js'
import { fileNameIn, linkExpiry } from '../../engine/values/link-signature.js'
import type { WriteContext } from '../../engine/write.js'
import type { Settings } from '../settings/settings.js'
import { uploadsPath } from './serve.js'
import { linkEnd } from './signature.js'
import type { Providers } from './storage-provider.js'

type PrivateFiles = NonNullable<WriteContext['privateFiles']>

/**
 * Returns functions that sign and check addresses of private files (`upload.private`); undefined if files are public.
 */
export function openPrivateFiles(
  settings: Settings,
  key: string,
  providers: Providers,
  now: () => number = Date.now,
) {
  if (!settings['upload.private']) return undefined
  const path = `${uploadsPath}/`
  // Recognize the addresses of all stores: an address in an entry may lead directly to a store, although private files
  // are served only through Quire.
  const prefixes = [...new Set([path, ...providers.all.map(({ url }) => url(''))])]
  const files: PrivateFiles = {
    nameIn: (address) => fileNameIn(address, prefixes),
    isRight: (name, search) => linkEnd(key, name, search, new Date(now())) instanceof Date,
  }
  return {
    /**
     * Returns the parameters of signed links in responses. Links of the same period expire together
     * (docs/internals/decisions.md, "Private files").
     */
    links: (): NonNullable<ReadTarget['links']> => {
      const expires = linkExpiry(now(), settings['upload.linkExpiresInS'])
      return { key, path, prefixes, expires }
    },
    /** Returns the check of addresses in a caller's write; undefined if the caller may read all files. */
    filesOf: (grant: Grant): PrivateFiles | undefined =>
      ['find', 'findOne'].some((verb) => allows(grant, 'plugin::upload.content-api', verb))
        ? undefined
        : files,
  }
}
