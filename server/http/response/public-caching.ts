import type { Settings } from '../../settings/settings.js'

/** Settings for public caching of responses without credentials. */
export type PublicCaching = Readonly<{
  control: string
  keyHeader: string
}>

/** Returns the settings for public caching; undefined if responses must not be cached publicly. */
export function publicCaching(settings: Settings): PublicCaching | undefined {
  // A cached response must expire before the signed links in it do.
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
