import type { ReadTarget } from '../../engine/read.js'
import { linkExpiry } from '../../engine/values/link-signature.js'
import type { Settings } from '../settings/settings.js'
import { uploadsPath } from './serve.js'
import type { Providers } from './storage-provider.js'

type Links = NonNullable<ReadTarget['links']>

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
  // What is stored may lead to a store, which serves nothing private.
  const prefixes = [...new Set([path, ...providers.all.map(({ url }) => url(''))])]
  const same = Object.freeze({ key, path, prefixes })
  return () => ({ ...same, expires: linkExpiry(now(), settings['upload.linkExpiresInS']) })
}
