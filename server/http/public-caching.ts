import type { Settings } from '../settings/settings.js'

/** How anybody may keep what is answered without credentials. */
export type PublicCaching = Readonly<{
  /** The `Cache-Control` that says so. */
  control: string
  /** In which header the answer's keys stand. */
  keyHeader: string
}>

/** Undefined where nobody may keep anything. */
export function publicCaching(settings: Settings): PublicCaching | undefined {
  // What is kept must not outlive the links that are in it.
  const most = settings['upload.private'] ? settings['upload.linkExpiresInS'] : Infinity
  const own = Math.min(settings['http.cache.public'], most)
  const shared = Math.min(settings['http.cache.shared'], most)
  const stale = Math.min(settings['http.cache.staleWhileRevalidate'], most - Math.max(own, shared))
  if (own === 0 && shared === 0) return undefined
  const control = [
    'public',
    `max-age=${own}`,
    ...(shared === 0 ? [] : [`s-maxage=${shared}`]),
    ...(stale === 0 ? [] : [`stale-while-revalidate=${stale}`]),
  ].join(', ')
  return { control, keyHeader: settings['http.cache.keyHeader'] }
}
