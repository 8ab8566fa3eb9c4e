import type { ReadAnswer, ReadPlan } from '../../engine/read.js'
import { collectionsRead } from '../../engine/read/plan/collections-read.js'
import { collectionOf } from '../../engine/schema/content-type.js'
import type { Registry } from '../../engine/schema/registry.js'
import { everyAnswer, keysIn, listKey, typeKey } from '../http/response/cache-keys.js'
import { purgeMarginMs } from '../settings/http-cache-settings.js'
import type { Settings } from '../settings/settings.js'
import type { Answer, CachePolicy, ReadRequest } from './documents.js'

/** Returns whether a response may be cached publicly (docs/caching.md). */
export const isCacheable = (
  settings: Settings,
  { isForAnybody }: Pick<ReadRequest, 'isForAnybody'>,
): boolean =>
  isForAnybody === true && (settings['http.cache.public'] > 0 || settings['http.cache.shared'] > 0)

/** Bytes of the shortest documentId with its separator. */
const documentKeyBytes = 25

/**
 * Returns the maximum number of documentIds that fit into the key header of a response; undefined without the header.
 */
export const shownUpTo = (settings: Settings): number | undefined =>
  settings['http.cache.keyHeader'] === 'none'
    ? undefined
    : Math.ceil(settings['http.cache.keyBytes'] / documentKeyBytes)

/**
 * Adds the public cache policy. Omits it for drafts, and if the response's cache keys are too long even without
 * documentIds.
 */
export function withCachePolicy(
  scope: Readonly<{ settings: Settings; registry: Registry }>,
  plan: ReadPlan,
  { shown, ...answer }: ReadAnswer,
): Answer {
  const cachePolicy = cachePolicyOf(scope, plan, shown)
  return cachePolicy === undefined ? answer : { ...answer, cachePolicy }
}

/**
 * Removes the public cache policy from a slow response: it may show the state before a write, and reach a shared cache
 * after the last purge for that write.
 *
 * @param tookMs how long the read took, in milliseconds
 */
export function withoutStalePolicy(settings: Settings, answer: Answer, tookMs: number): Answer {
  const againMs = settings['http.cache.purgeAgainMs']
  const isPurged = settings['http.cache.purgeUrl'] !== ''
  if (!isPurged || tookMs <= againMs - purgeMarginMs) return answer
  return withoutCachePolicy(answer)
}

const withoutCachePolicy = ({ cachePolicy: _cachePolicy, ...answer }: Answer): Answer => answer

function cachePolicyOf(
  { settings, registry }: Readonly<{ settings: Settings; registry: Registry }>,
  plan: ReadPlan,
  shown: ReadAnswer['shown'],
): CachePolicy | undefined {
  const { all, searched } = collectionsRead(plan)
  const uids = publishedIn(registry)
  const read = [...all].map((collection) => uids.get(collection))
  const types = read.filter((uid) => uid !== undefined)
  if (types.length < read.length) return undefined
  const header = settings['http.cache.keyHeader']
  if (header === 'none') return {}
  const { documentIds, awaited = [] } = shown ?? {}
  const lists = new Set([...searched, ...awaited].map((collection) => uids.get(collection) ?? ''))
  const always = [everyAnswer, ...types.map(typeKey)]
  const precise = documentIds && [...always, ...[...lists].map(listKey), ...documentIds]
  for (const keys of [precise, [...always, ...types.map(listKey)]]) {
    const text = keys && keysIn(header, keys)
    if (text !== undefined && text.length <= settings['http.cache.keyBytes']) return { keys: text }
  }
  return undefined
}

const known = new WeakMap<Registry, ReadonlyMap<string, string>>()

/** Maps collections of published entries to the uids of their types. */
function publishedIn(registry: Registry): ReadonlyMap<string, string> {
  const before = known.get(registry)
  if (before !== undefined) return before
  const uids = new Map(
    [...registry.contentTypes.values()].map((type) => [collectionOf(type, 'published'), type.uid]),
  )
  known.set(registry, uids)
  return uids
}
