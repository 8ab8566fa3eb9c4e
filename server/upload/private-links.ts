import type { ReadTarget } from '../../engine/read.js'
import { allows, type Grant } from '../../engine/schema/grant.js'
import { fileNameIn, linkExpiry } from '../../engine/values/link-signature.js'
import type { Settings } from '../settings/settings.js'
import type { WriteContext } from '../../engine/write.js'
import { uploadsPath } from './serve.js'
import { checkLink } from './signature.js'
import type { Providers } from './storage-provider.js'

/**
 * What is asked of the addresses of files that a caller writes where these are private: undefined where files are for
 * everybody, or the caller may read them all anyway.
 */
export function privateFilesOf(
  settings: Settings,
  key: string,
  providers: Providers,
  now: () => Date = () => new Date(),
): ((grant: Grant) => PrivateFiles | undefined) | undefined {
  if (!settings['upload.private']) return undefined
  const prefixes = prefixesOf(providers)
  const files: PrivateFiles = {
    nameIn: (address) => fileNameIn(address, prefixes),
    isRight: (name, search) => {
      const link = checkLink(key, name, search, now())
      return link.is === 'right' && link.expiresAt !== null
    },
  }
  const readsFiles = (grant: Grant): boolean =>
    ['find', 'findOne'].some((verb) => allows(grant, 'plugin::upload.content-api', verb))
  return (grant) => (readsFiles(grant) ? undefined : files)
}

type PrivateFiles = NonNullable<WriteContext['privateFiles']>
/** How a read shows the addresses of files. */
export type Links = NonNullable<ReadTarget['links']>

/**
 * How answers show the addresses of files where these are private (`upload.private`): as links that end together with
 * all that are made in the same window (docs/decisions.md, "Private files"). Undefined where files are for everybody.
 */
export function privateLinks(
  settings: Settings,
  key: string,
  providers: Providers,
  now: () => number = Date.now,
): (() => Links) | undefined {
  if (!settings['upload.private']) return undefined
  const path = `${uploadsPath}/`
  const same = Object.freeze({ key, path, prefixes: prefixesOf(providers) })
  return () => ({ ...same, expires: linkExpiry(now(), settings['upload.linkExpiresInS']) })
}

/** What is stored may lead to a store, which serves nothing private. */
const prefixesOf = ({ all }: Providers): readonly string[] => [
  ...new Set([`${uploadsPath}/`, ...all.map(({ url }) => url(''))]),
]
