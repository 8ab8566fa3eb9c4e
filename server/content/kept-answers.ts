import type { ReadAnswer, ReadPlan } from '../../engine/read.js'
import { collectionsRead } from '../../engine/read/plan/collections-read.js'
import { collectionOf } from '../../engine/schema/content-type.js'
import type { Registry } from '../../engine/schema/registry.js'
import { everyAnswer, keysIn, listKey, typeKey } from '../http/cache-keys.js'
import { purgeMarginMs } from '../settings/http-cache-settings.js'
import type { Settings } from '../settings/settings.js'
import type { DocumentsParts } from './documents-parts.js'
import type { Answer, KeptBy, ReadRequest } from './documents.js'

/** Whether anybody may keep what is answered (docs/caching.md). */
export const isKeepable = (
  { settings }: Pick<DocumentsParts, 'settings'>,
  { isForAnybody }: Pick<ReadRequest, 'isForAnybody'>,
): boolean =>
  isForAnybody === true && (settings['http.cache.public'] > 0 || settings['http.cache.shared'] > 0)

/** What the shortest documentId and what stands behind it take, in bytes. */
const documentKeyBytes = 25

/** How many documents are worth naming in the answer. */
export const shownUpTo = (settings: Settings): number | undefined =>
  settings['http.cache.keyHeader'] === 'none'
    ? undefined
    : Math.ceil(settings['http.cache.keyBytes'] / documentKeyBytes)

/** The answer, and how anybody may keep it: not where it tells of drafts, or has too many types to name. */
export function asKept(
  { settings, registry }: Pick<DocumentsParts, 'settings' | 'registry'>,
  plan: ReadPlan,
  { shown, ...answer }: ReadAnswer,
): Answer {
  const kept = keptBy(plan, shown, { settings, registry: registry() })
  return kept === undefined ? answer : { ...answer, kept }
}

/**
 * The answer to whoever has waited for it: one that was begun so long ago may be of before a write, and reach a cache
 * after that was purged for the last time. What is remembered of it may be kept as long as it is right.
 * @param tookMs how long ago it was begun to be read
 */
export function inTime(
  { settings }: Pick<DocumentsParts, 'settings'>,
  answer: Answer,
  tookMs: number,
): Answer {
  const againMs = settings['http.cache.purgeAgainMs']
  const isPurged = settings['http.cache.purgeUrl'] !== ''
  if (!isPurged || tookMs <= againMs - purgeMarginMs) return answer
  return withoutKept(answer)
}

const withoutKept = ({ kept: _kept, ...answer }: Answer): Answer => answer

function keptBy(
  plan: ReadPlan,
  shown: ReadAnswer['shown'],
  { settings, registry }: Readonly<{ settings: Settings; registry: Registry }>,
): KeptBy | undefined {
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

/** The uids of types by the collection of what is published; drafts are in others. */
function publishedIn(registry: Registry): ReadonlyMap<string, string> {
  const before = known.get(registry)
  if (before !== undefined) return before
  const uids = new Map(
    [...registry.contentTypes.values()].map((type) => [collectionOf(type, 'published'), type.uid]),
  )
  known.set(registry, uids)
  return uids
}
