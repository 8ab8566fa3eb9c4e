import { retryCommand } from '../../engine/database/retry-command.js'

type Options<K, V> = Readonly<{
  load: (key: K) => Promise<V | undefined>
  /** Maximum number of keys. If there are more, the least recently used key is dropped. */
  max?: number
  /** Age in ms from which a value is refreshed in the background. */
  refreshAfterMs?: number
  /** Age in ms from which a value is no longer used. */
  ttlMs?: number
  now?: () => number
}>

type Entry<V> = { value: Promise<V | undefined>; readAt: number; refreshing: boolean }

/** A bounded cache of results of `load`. Keys in constant use are refreshed early, so their readers never wait. */
export function createBriefCache<K, V>({
  load,
  max = 10_000,
  refreshAfterMs = 500,
  ttlMs = 1000,
  now = Date.now,
}: Options<K, V>) {
  const entries = new Map<K, Entry<V>>()

  const read = (key: K): Promise<V | undefined> => {
    const entry: Entry<V> = {
      value: retryCommand(() => load(key)),
      readAt: now(),
      refreshing: false,
    }
    entries.set(key, entry)
    if (entries.size > max) entries.delete(entries.keys().next().value as K)
    const drop = () => {
      if (entries.get(key) === entry) entries.delete(key)
    }
    entry.value.then((value) => {
      if (value === undefined) drop()
    }, drop)
    return entry.value
  }

  const refresh = (key: K, entry: Entry<V>): void => {
    entry.refreshing = true
    const readAt = now()
    load(key).then(
      (value) => {
        // The entry was dropped or replaced while `load` ran, so the loaded value may be outdated.
        if (entries.get(key) !== entry) return
        if (value === undefined) entries.delete(key)
        else entries.set(key, { value: Promise.resolve(value), readAt, refreshing: false })
      },
      () => (entry.refreshing = false),
    )
  }

  return {
    /** Undefined is not cached. */
    get: (key: K): Promise<V | undefined> => {
      const entry = entries.get(key)
      const age = entry === undefined ? Infinity : now() - entry.readAt
      entries.delete(key)
      if (entry === undefined || age >= ttlMs) return read(key)
      // Move the entry to the end. A map keeps the order of insertion, so the least recently used key is first.
      entries.set(key, entry)
      if (age >= refreshAfterMs && !entry.refreshing) refresh(key, entry)
      return entry.value
    },
    forget: (key?: K): void => {
      if (key === undefined) entries.clear()
      else entries.delete(key)
    },
  }
}
